package io.vramlab.footprint;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Workspaces that cuSOLVER asks for, as recorded on an H200 with cuSOLVER 12; docs/footprint.md, "Linear algebra". Between two
 * recorded sizes of matrices they are taken from a line, beyond the last from the square: those are estimates.
 */
public final class SolverScratch {

    /** Workspaces in bytes by side, for an operation, a size of elements and a number of matrices in one call. */
    private static final Map<String, TreeMap<Long, Long>> RECORDED = read();
    /** In numbers, not bytes. */
    private static final long ORGQR = 33024;
    private static final long ORGQR_UNIT = 32;
    private static final long ORGQR_AT_ONCE = 384;
    private static final long ORGQR_OF_MANY = 16_640;
    private static final long ORMQR = 65_792;
    private static final long ORMQR_COLUMN = 512;
    private static final long ORMQR_ROW = 256;

    private static final long GEQRF = 524_288;
    private static final long GEQRF_COLUMN = 1024;
    private static final long GEQRF_LEAST = 256;
    private static final long UNIT = 128;
    private static final long SQUARES = 3;

    private static final long POTRF = 128;
    private static final long POTRF_BLOCK = 32;
    private static final long POTRF_UNIT = 32;

    private SolverScratch() {
    }

    /**
     * {@return the workspace of one factor of Cholesky's: four bytes for each block of 32 rows and columns, in 32s, and 128; so
     * of all 82 recorded sizes up to 4,096, whatever the element}
     *
     * @param side
     *            rows and columns
     */
    public static long potrf(long side) {
        long blocks = (side + POTRF_BLOCK - 1) / POTRF_BLOCK;
        long bytes = Integer.BYTES * blocks * blocks;
        return POTRF + (bytes + POTRF_UNIT - 1) / POTRF_UNIT * POTRF_UNIT;
    }

    private static Map<String, TreeMap<Long, Long>> read() {
        Map<String, TreeMap<Long, Long>> all = new HashMap<>();
        try (InputStream in = SolverScratch.class.getResourceAsStream("solver-workspaces.txt");
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] part = line.split(" ");
                all.computeIfAbsent(part[0] + " " + part[1] + " " + part[2], k -> new TreeMap<>())
                        .put(Long.parseLong(part[3]), Long.parseLong(part[4]));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /**
     * {@return the workspace of an operation on square matrices}
     *
     * @param operation
     *            potrf-upper, getrf, syevd or gesvdj
     * @param element
     *            bytes of one number
     * @param many
     *            matrices in one call
     * @param side
     *            rows and columns
     */
    public static long square(String operation, int element, long many, long side) {
        TreeMap<Long, Long> one = RECORDED.get(operation + " " + element + " " + many);
        if (one == null || many > 1 && (side > one.lastKey() || side < one.firstKey())) {
            // proportional to the matrices, from what two took
            TreeMap<Long, Long> two = RECORDED.get(operation + " " + element + " 2");
            if (two == null) {
                return square(operation, element, 1, side);
            }
            long single = square(operation, element, 1, side);
            return single + (at(two, side) - single) * (many - 1);
        }
        return at(one, side);
    }

    private static long at(TreeMap<Long, Long> recorded, long side) {
        Map.Entry<Long, Long> below = recorded.floorEntry(side);
        Map.Entry<Long, Long> above = recorded.ceilingEntry(side);
        if (below == null) {
            return above.getValue();
        }
        if (above == null) {
            double more = (double) side / below.getKey();
            return Math.round(below.getValue() * more * more);
        }
        if (above.getKey().equals(below.getKey())) {
            return below.getValue();
        }
        double part = (double) (side - below.getKey()) / (above.getKey() - below.getKey());
        return Math.round(below.getValue() + part * (above.getValue() - below.getValue()));
    }

    /**
     * {@return the workspace of reflections: 524,288 numbers, 1,024 for each column from the 256th on, and 128 bytes; so of all 62 recorded
     * square matrices, and of ten that were taller or wider on an H100}
     *
     * @param element
     *            bytes of one number
     * @param columns
     *            of the matrix
     */
    public static long geqrf(int element, long columns) {
        return element * (GEQRF + GEQRF_COLUMN * Math.max(GEQRF_LEAST, columns)) + UNIT;
    }

    /**
     * {@return the workspace of singular values of a matrix that is not square: that of reflections, or the matrix twice with what smaller
     * ones have besides; wide ones are turned in it. Equal for six shapes with up to 384 on the shorter side on an H100, an estimate
     * beyond, up to 12 % too low}
     *
     * @param element
     *            bytes of one number
     * @param rows
     *            of the matrix
     * @param columns
     *            of the matrix
     */
    public static long oblong(int element, long rows, long columns) {
        long least = Math.min(rows, columns);
        long twice = 2 * rows * columns + (least <= ORGQR_AT_ONCE ? SQUARES * least * least + 2 * ORGQR : 0);
        long values = (element * least + UNIT - 1) / UNIT * UNIT + (element == Double.BYTES ? UNIT : 0);
        return Math.max(geqrf(element, least), element * twice) + values
                + (rows < columns ? element * rows * columns : 0);
    }

    /**
     * {@return the workspace that makes a matrix of its reflections: a part that does not change, and the reflections, or, seen for 512 and
     * 1,024 of them on an H100, another part and 384 numbers for each row}
     *
     * @param element
     *            bytes of one number
     * @param rows
     *            of the matrix
     * @param reflections
     *            how many
     */
    public static long orgqr(int element, long rows, long reflections) {
        if (reflections > ORGQR_AT_ONCE) {
            return (ORGQR_OF_MANY + rows * ORGQR_AT_ONCE) * element;
        }
        long numbers = (rows * reflections + ORGQR_UNIT - 1) / ORGQR_UNIT * ORGQR_UNIT;
        return (ORGQR + numbers) * element;
    }

    /**
     * {@return the workspace that multiplies a matrix by all of a square matrix's reflections, from the left}
     *
     * @param element
     *            bytes of one number
     * @param rows
     *            of both matrices
     * @param reflections
     *            how many
     * @param columns
     *            of what is multiplied
     */
    public static long ormqr(int element, long rows, long reflections, long columns) {
        long inner = rows * reflections + reflections * reflections;
        long numbers = (inner + ORGQR_UNIT - 1) / ORGQR_UNIT * ORGQR_UNIT + (rows > ORGQR_UNIT ? ORGQR_UNIT : 0);
        return (ORMQR + numbers + ORMQR_COLUMN * columns + ORMQR_ROW * rows) * element;
    }
}
