package io.vramlab.device.internal.cpu.kernels.reduce;

import io.vramlab.device.Interruptible;
import io.vramlab.device.internal.cpu.kernels.cells.Tiles;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.elementwise.OperandRows;
import java.util.Arrays;

/** One thread's lanes while it gathers runs of elements: reads tiles in the type that loses nothing and feeds a fold. */
public final class Gathering {

    /** Lanes for rows too short to be worth gathering a whole tile of lanes at the end. */
    private static final int FEW = 128;
    /** Rows from here on may be cut into panels; narrower ones are taken whole. */
    static final int WIDE = Tiles.TILE / 2;
    /** Tiles between two looks for an interrupt. */
    private static final int LOOK = 1024;
    private static final int LONG_ROW = 16 * Tiles.TILE;

    private final View from;
    private final boolean narrow;
    private final double[] lanes = new double[Tiles.TILE];
    private final double[] doubles;
    private final float[] floats;

    public Gathering(View from) {
        this.from = from;
        // float holds the small types exactly and moves half the bytes
        this.narrow = from.dtype.isFloatingPoint() && from.dtype.bytes() <= Float.BYTES;
        this.doubles = Tiles.mine().doubles()[0];
        this.floats = Tiles.mine().floats[0];
    }

    private void feed(LaneFold fold, long at, int n) {
        if (narrow) {
            from.read(at, n, floats);
            fold.lanes(lanes, floats, n);
        } else {
            from.read(at, n, doubles);
            fold.lanes(lanes, doubles, n);
        }
    }

    /** Gathers {@code length} elements from number {@code first} on. */
    public double run(LaneFold fold, long first, long length) {
        int width = (int) Math.min(length, length < LONG_ROW ? FEW : Tiles.TILE);
        Arrays.fill(lanes, 0, width, fold.start);
        for (long at = 0; at < length; at += width) {
            feed(fold, first + at, (int) Math.min(width, length - at));
        }
        return fold.gather(lanes, width);
    }

    /**
     * Gathers a column for each of {@code n} neighbouring elements: rows {@code top} to {@code bottom - 1} of
     * {@code width} elements, from element {@code left} of each on. Narrow rows, always taken whole, share a tile: each
     * lane then has every so-manieth element of its column.
     */
    void columns(LaneFold fold, int width, long top, long bottom, int left, int n, double[] to, int at) {
        int rows = width < WIDE ? Tiles.TILE / width : 1;
        Arrays.fill(lanes, 0, rows * n, fold.start);
        int turn = 0;
        for (long r = top; r < bottom; r += rows) {
            if (++turn % LOOK == 0) {
                Interruptible.check();
            }
            feed(fold, r * width + left, (int) Math.min(rows, bottom - r) * n);
        }
        for (int j = 0; j < n; j++) {
            double all = lanes[j];
            for (int r = 1; r < rows; r++) {
                all = fold.combine(all, lanes[r * n + j]);
            }
            to[at + j] = all;
        }
    }
}
