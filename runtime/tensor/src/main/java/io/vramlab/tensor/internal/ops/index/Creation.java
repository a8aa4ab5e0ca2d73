package io.vramlab.tensor.internal.ops.index;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.values.NonZero;
import io.vramlab.tensor.type.Generator;
import io.vramlab.tensor.type.TensorException;
import java.util.SplittableRandom;

/** New tensors of a pattern. */
public final class Creation {

    private static final double TWO_PI = 2 * Math.PI;

    private Creation() {
    }

    public static TensorImpl eye(Device device, DType dtype, long rows, long columns) {
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(Factories.full(device, dtype, 0, rows, columns));
            long length = Math.min(rows, columns);
            if (length > 0) {
                TensorImpl diagonal = t.own(out.alias(new long[]{length}, new long[]{columns + 1}, 0));
                Launch.into(ElementOp.FILL, new double[]{1}, diagonal);
            }
            return t.give(out);
        }
    }

    public static TensorImpl linspace(Device device, DType dtype, double start, double end, long steps) {
        if (steps < 0) {
            throw new TensorException("number of steps must be non-negative, but " + steps + " was given.");
        }
        TensorImpl out = TensorImpl.empty(device, dtype, steps);
        try (Temps t = new Temps()) {
            t.own(out);
            if (steps > 0) {
                double step = steps == 1 ? 0 : (end - start) / (steps - 1);
                out.driver().kernels().arange(out.operand(), start, step, out.stream());
            }
            return t.give(out);
        }
    }

    public static TensorImpl logspace(Device device, DType dtype, double start, double end, long steps, double base) {
        TensorImpl out = linspace(device, dtype, start, end, steps);
        try (Temps t = new Temps()) {
            t.own(out);
            Launch.into(ElementOp.MUL_SCALAR, new double[]{Math.log(base)}, out, out);
            Launch.into(ElementOp.EXP, Launch.NONE, out, out);
            return t.give(out);
        }
    }

    /** Row and column numbers of a triangle, row by row, as [2, many]. */
    public static TensorImpl triangle(Device device, long rows, long columns, long offset, boolean upper) {
        long many = 0;
        for (long r = 0; r < rows; r++) {
            many += width(r, columns, offset, upper);
        }
        long[] at = new long[Math.toIntExact(2 * many)];
        int to = 0;
        for (long r = 0; r < rows; r++) {
            long width = width(r, columns, offset, upper);
            for (long i = 0; i < width; i++, to++) {
                at[to] = r;
                at[(int) (to + many)] = upper ? columns - width + i : i;
            }
        }
        TensorImpl out = TensorImpl.empty(device, DType.INT64, 2, many);
        NonZero.send(out, at);
        return out;
    }

    private static long width(long row, long columns, long offset, boolean upper) {
        return upper
                ? columns - Math.clamp(row + offset, 0, columns)
                : Math.clamp(row + offset + 1, 0, columns);
    }

    /** a - (1 - a) cos(2 pi i / n), of one more than asked for if periodic, the last one left out. */
    public static TensorImpl cosineWindow(Device device, DType dtype, long length, boolean periodic, double alpha) {
        long n = periodic ? length + 1 : length;
        TensorImpl out = TensorImpl.empty(device, dtype, n);
        try (Temps t = new Temps()) {
            t.own(out);
            out.driver().kernels().arange(out.operand(), 0, n > 1 ? TWO_PI / (n - 1) : 0, out.stream());
            Launch.into(ElementOp.COS, Launch.NONE, out, out);
            Launch.into(ElementOp.MUL_SCALAR, new double[]{alpha - 1}, out, out);
            Launch.into(ElementOp.ADD_SCALAR, new double[]{alpha}, out, out);
            return periodic ? out.alias(new long[]{length}, new long[]{1}, 0) : t.give(out);
        }
    }

    /** 0 … n - 1 in random order; what PyTorch sorts for it is taken and given back. */
    public static TensorImpl randperm(Device device, DType dtype, long n) {
        if (n < 0) {
            throw new TensorException("n must be non-negative, got " + n + ".");
        }
        int count = Math.toIntExact(n);
        Generator generator = Generator.of(device);
        SplittableRandom random = new SplittableRandom(
                generator.initialSeed() * 0x9E3779B97F4A7C15L + generator.take(n));
        long[] order = new long[count];
        for (int i = 0; i < count; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        TensorImpl out = TensorImpl.empty(device, dtype, n);
        try (Temps t = new Temps()) {
            t.own(out);
            if (device.isCuda() && n > 0) {
                Scratch.pass(out, p -> io.vramlab.footprint.SelectionScratch.permutation(n));
            }
            if (dtype == DType.INT64 && count > 0) {
                NonZero.send(out, order);
            } else if (count > 0) {
                Sorts.send(out, java.util.Arrays.stream(order).asDoubleStream().toArray());
            }
            return t.give(out);
        }
    }
}
