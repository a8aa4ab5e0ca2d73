package io.vramlab.device.internal.cpu.kernels.elementwise;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Interruptible;
import io.vramlab.device.Operand;
import io.vramlab.device.internal.cpu.kernels.cells.Parallel;
import io.vramlab.device.internal.cpu.kernels.cells.Tiles;
import io.vramlab.device.internal.cpu.kernels.cells.View;
import io.vramlab.device.internal.cpu.kernels.math.FloatLoops;
import io.vramlab.device.internal.cpu.kernels.math.LongOps;
import io.vramlab.device.internal.cpu.kernels.math.ScalarOps;

/** {@link io.vramlab.device.Kernels#elementwise}: reads tiles of the inputs, computes, writes the output's tile. */
public final class Elementwise {

    /** Fewest elements that are worth a second thread: below, waking it costs more than it saves. */
    public static final long GRAIN = 1 << 16;

    private final HostAccess host;

    public Elementwise(HostAccess host) {
        this.host = host;
    }

    public void run(ElementOp op, double[] scalars, Operand out, Operand[] inputs) {
        View to = View.of(host, out);
        if (to.count == 0) {
            return;
        }
        View[] from = new View[inputs.length];
        for (int k = 0; k < inputs.length; k++) {
            from[k] = View.of(host, inputs[k]);
        }
        double s = scalars.length > 0 ? scalars[0] : 0;
        double t = scalars.length > 1 ? scalars[1] : 0;
        DType type = computeType(out.dtype(), inputs);
        if (op == ElementOp.COPY && from[0].dtype == out.dtype() && from[0].contiguous() && to.contiguous()) {
            Interruptible.copy(to.memory, from[0].memory.asSlice(0, to.memory.byteSize()));
        } else if (op == ElementOp.COPY && Transpose.serves(to, from[0])) {
            Transpose.copy(to, from[0]);
        } else if (type == DType.FLOAT64 || !type.isFloatingPoint() && LongOps.of(op) == null) {
            Parallel.range(to.count, GRAIN, (a, b) -> doubles(ScalarOps.of(op), s, t, to, from, a, b));
        } else if (type.isFloatingPoint()) {
            FloatLoops.Loop loop = FloatLoops.of(op);
            Parallel.range(to.count, GRAIN, (a, b) -> floats(loop, (float) s, (float) t, to, from, a, b));
        } else if (s != (long) s || t != (long) t) {
            // a fractional scalar against integers: compared, or limited, in double
            Parallel.range(to.count, GRAIN, (a, b) -> doubles(ScalarOps.of(op), s, t, to, from, a, b));
        } else {
            Parallel.range(to.count, GRAIN, (a, b) -> longs(LongOps.of(op), s, t, to, from, a, b));
        }
    }

    /**
     * The output's type; where that is bool, the widest of the inputs', because comparing must not convert first.
     */
    private static DType computeType(DType out, Operand[] inputs) {
        if (out != DType.BOOL) {
            return out;
        }
        DType type = DType.BOOL;
        for (Operand input : inputs) {
            if (input.dtype() == DType.FLOAT64) {
                return DType.FLOAT64;
            }
            if (input.dtype().isFloatingPoint()) {
                type = DType.FLOAT32;
            } else if (!type.isFloatingPoint()) {
                type = DType.INT64;
            }
        }
        return type;
    }

    private static void floats(FloatLoops.Loop loop, float s, float t, View to, View[] from, long start, long end) {
        float[][] tiles = Tiles.mine().floats;
        for (long at = start; at < end; at += Tiles.TILE) {
            int n = (int) Math.min(Tiles.TILE, end - at);
            for (int k = 0; k < from.length; k++) {
                from[k].read(at, n, tiles[k]);
            }
            loop.apply(tiles[3], tiles[0], tiles[1], tiles[2], n, s, t);
            to.write(at, n, tiles[3]);
        }
    }

    private static void doubles(ScalarOps.Scalar f, double s, double t, View to, View[] from, long start, long end) {
        double[][] tiles = Tiles.mine().doubles();
        double[] a = tiles[0];
        double[] b = tiles[1];
        double[] c = tiles[2];
        double[] o = tiles[3];
        for (long at = start; at < end; at += Tiles.TILE) {
            int n = (int) Math.min(Tiles.TILE, end - at);
            for (int k = 0; k < from.length; k++) {
                from[k].read(at, n, tiles[k]);
            }
            for (int i = 0; i < n; i++) {
                o[i] = f.apply(a[i], b[i], c[i], s, t);
            }
            to.write(at, n, o);
        }
    }

    private static void longs(LongOps.Scalar f, double s, double t, View to, View[] from, long start, long end) {
        long[][] tiles = Tiles.mine().longs();
        long[] a = tiles[0];
        long[] b = tiles[1];
        long[] c = tiles[2];
        long[] o = tiles[3];
        for (long at = start; at < end; at += Tiles.TILE) {
            int n = (int) Math.min(Tiles.TILE, end - at);
            for (int k = 0; k < from.length; k++) {
                from[k].read(at, n, tiles[k]);
            }
            for (int i = 0; i < n; i++) {
                o[i] = f.apply(a[i], b[i], c[i], s, t);
            }
            to.write(at, n, o);
        }
    }
}
