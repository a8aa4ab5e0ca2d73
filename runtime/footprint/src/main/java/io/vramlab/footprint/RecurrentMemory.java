package io.vramlab.footprint;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * What cuDNN takes for a recurrent network: a reserve, which backward reads, and a workspace for the time of a call. The
 * reserve follows a rule that all recordings keep to but for a few dozen bytes; the workspace is an estimate for the shapes
 * that were not recorded (src/fit/recurrent.py; docs/footprint.md, "Recurrent layers").
 *
 * @param kind
 *            {@code LSTM}, {@code GRU} or {@code RNN}
 * @param element
 *            bytes of an element
 * @param training
 *            whether backward may follow
 * @param times
 *            the longest sequence
 * @param batch
 *            sequences
 * @param rows
 *            elements of all sequences: times x batch, or fewer where they are packed
 * @param input
 *            width of the input
 * @param hidden
 *            width of a state
 * @param layers
 *            one above another
 * @param directions
 *            1, or 2
 * @param bias
 *            whether there are biases
 * @param projection
 *            width that an LSTM's output is projected to; 0 for none
 * @param dropout
 *            whether elements are dropped between layers
 */
public record RecurrentMemory(String kind, int element, boolean training, long times, long batch, long rows, long input,
        long hidden, long layers, long directions, boolean bias, long projection, boolean dropout) {

    private static final long FLAGS = 256;
    private static final long ALIGNED = 32;
    private static final long BASE = 8L << 20;
    private static final String FILE = "recurrent.txt.gz";
    private static final Map<String, double[]> FACTORS = new HashMap<>();
    private static final Map<String, Long> RECORDED = new HashMap<>();

    static {
        try (InputStream in = RecurrentMemory.class.getResourceAsStream(FILE);
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(in), StandardCharsets.UTF_8))) {
            boolean table = false;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ");
                if (line.equals("table")) {
                    table = true;
                } else if (table) {
                    int last = line.lastIndexOf(' ');
                    RECORDED.put(line.substring(0, last), Long.valueOf(line.substring(last + 1)));
                } else {
                    FACTORS.put(words[0] + " " + words[1] + " " + words[2],
                            Arrays.stream(words).skip(3).mapToDouble(Double::parseDouble).toArray());
                }
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    }

    /** Gates and cells that backward reads: so many of each layer's output. */
    private long kept() {
        return kind.equals("LSTM") ? 5 : kind.equals("GRU") ? 6 : 1;
    }

    private long gates() {
        return kind.equals("LSTM") ? 4 : kind.equals("GRU") ? 3 : 1;
    }

    /** Bytes of the reserve; 0 where no backward may follow. */
    public long reserve() {
        if (!training) {
            return 0;
        }
        long one = rows * hidden * element;
        long between = (layers - 1) * directions;
        long all = one * (kept() * layers * directions + between);
        if (projection > 0) {
            // the cells' outputs before they are projected, and the projected ones
            all = (kept() + 1) * layers * directions * one + between * one
                    + layers * directions * rows * projection * element;
        }
        long masks = dropout && layers > 1 ? aligned(between * times * batch * hidden / Byte.SIZE) : 0;
        return aligned(all + FLAGS) + masks;
    }

    /** Bytes of the workspace of forward, and of each of the two products of backward. */
    public long workspace() {
        Long recorded = RECORDED.get(key());
        if (recorded != null) {
            return recorded;
        }
        double[] factors = FACTORS.get(kind + " " + Math.min(element, Float.BYTES) + " "
                + (training || element < Float.BYTES ? 1 : 0));
        double sum = 0;
        double[] sizes = sizes();
        for (int i = 0; i < sizes.length; i++) {
            sum += factors[i] * sizes[i];
        }
        return BASE * layers * directions + aligned((long) (sum * element));
    }

    /** Whether this very shape was recorded, so that its workspace is no estimate. */
    public boolean isRecorded() {
        return RECORDED.containsKey(key());
    }

    private String key() {
        return kind + " " + element + " " + (training ? 1 : 0) + " " + times + " " + batch + " " + rows + " " + input
                + " " + hidden + " " + layers + " " + directions + " " + (bias ? 1 : 0) + " " + projection + " "
                + (dropout ? 1 : 0);
    }

    /** In the order of src/fit/recurrent.py. */
    private double[] sizes() {
        double all = (double) layers * directions;
        double between = (double) (layers - 1) * directions * directions;
        return new double[]{all * rows * hidden, (double) directions * rows * input, between * rows * hidden,
                all * batch * hidden, (double) directions * input * hidden * gates(), all * hidden * hidden * gates(),
                between * hidden * hidden * gates(), all * hidden, (double) rows * hidden, all * batch * input, 1};
    }
}
