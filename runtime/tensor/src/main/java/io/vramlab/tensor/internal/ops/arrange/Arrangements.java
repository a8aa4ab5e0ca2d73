package io.vramlab.tensor.internal.ops.arrange;

import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** The same elements in another order or more than once. */
public final class Arrangements {

    private Arrangements() {
    }

    /** Dimensions the other way round. */
    public static TensorImpl flip(TensorImpl a, int... dims) {
        boolean[] turned = new boolean[a.rank()];
        for (int dim : dims) {
            turned[Shape.dim(dim, a.rank())] = true;
        }
        TensorImpl out = TensorImpl.emptyStrided(a.device(), a.dtype(), a.shape(), Strides.preserving(a));
        try (Temps t = new Temps()) {
            t.own(out);
            reversed(a, out, turned);
            if (Graph.wanted(a)) {
                Graph.recordUnary("FlipBackward0", out, a, (n, g) -> flip(g, dims));
            }
            return t.give(out);
        }
    }

    private static void reversed(TensorImpl from, TensorImpl to, boolean[] turned) {
        if (from.count() == 0) {
            return;
        }
        long[] sizes = from.shape();
        // read from the other end: strides that go back
        long first = from.operand().address();
        long[] back = from.strides().clone();
        for (int d = 0; d < sizes.length; d++) {
            if (turned[d]) {
                first += (sizes[d] - 1) * back[d] * from.dtype().bytes();
                back[d] = -back[d];
            }
        }
        from.driver().kernels().elementwise(ElementOp.COPY, Launch.NONE, to.operand(),
                new Operand[]{new Operand(first, from.dtype(), sizes, back)}, from.stream());
    }

    /** Turned around: what leaves one end comes in at the other. */
    public static TensorImpl roll(TensorImpl a, long[] shifts, int[] dims) {
        if (dims.length == 0 && shifts.length == 1) {
            try (Temps t = new Temps()) {
                TensorImpl flat = t.own(Views.view(t.own(Copies.contiguous(a)), a.count()));
                return Views.view(t.own(roll(flat, shifts, new int[]{0})), a.shape());
            }
        }
        if (shifts.length != dims.length || dims.length == 0) {
            throw new TensorException("shifts and dimensions must align: " + shifts.length + " shifts and "
                    + dims.length + " dimensions were given to roll. Give one shift for each dimension.");
        }
        if (dims.length > 1) {
            // one dimension after the other, as PyTorch
            try (Temps t = new Temps()) {
                TensorImpl first = t.own(roll(a, new long[]{shifts[0]}, new int[]{dims[0]}));
                return roll(first, Arrays.copyOfRange(shifts, 1, shifts.length),
                        Arrays.copyOfRange(dims, 1, dims.length));
            }
        }
        int d = Shape.dim(dims[0], a.rank());
        TensorImpl out = TensorImpl.empty(a.device(), a.dtype(), a.shape());
        if (a.count() > 0) {
            long size = a.shape()[d];
            long shift = Math.floorMod(shifts[0], size);
            try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
                t.own(out);
                move(t, a, 0, out, shift, size - shift, d);
                move(t, a, size - shift, out, 0, shift, d);
                t.give(out);
            }
        }
        if (Graph.wanted(a)) {
            Graph.recordUnary("RollBackward0", out, a, (n, g) -> roll(g, new long[]{-shifts[0]}, dims));
        }
        return out;
    }

    private static void move(Temps t, TensorImpl from, long start, TensorImpl to, long end, long length, int dim) {
        if (length > 0) {
            TensorImpl source = t.own(Views.narrow(from, dim, start, length));
            Launch.into(ElementOp.COPY, Launch.NONE, t.own(Views.narrow(to, dim, end, length)), source);
        }
    }

    /** A quarter turn so many times, from the first dimension to the second. */
    public static TensorImpl rot90(TensorImpl a, int times, int first, int second) {
        int x = Shape.dim(first, a.rank());
        int y = Shape.dim(second, a.rank());
        if (x == y) {
            throw new TensorException("rot90 was asked of dimensions " + first + " and " + second
                    + ": they must be two different ones.");
        }
        try (Temps t = new Temps()) {
            return switch (Math.floorMod(times, 4)) {
                case 1 -> Views.transpose(t.own(flip(a, y)), x, y);
                case 2 -> flip(a, x, y);
                case 3 -> Views.transpose(t.own(flip(a, x)), x, y);
                default -> Copies.clone(a);
            };
        }
    }

    /** As repeat, with missing counts of 1 in front. */
    public static TensorImpl tile(TensorImpl a, long... times) {
        long[] all = new long[Math.max(times.length, a.rank())];
        Arrays.fill(all, 1);
        System.arraycopy(times, 0, all, all.length - times.length, times.length);
        return Repeats.repeat(a, all);
    }

    /** Each element, or each slice of a dimension, so many times in a row. */
    public static TensorImpl repeatInterleave(TensorImpl a, long times, Integer dim) {
        if (times < 0) {
            throw new TensorException("repeats can not be negative, but " + times + " was given.");
        }
        try (Temps t = new Temps()) {
            TensorImpl from = dim == null ? t.own(Views.flatten(a, 0, -1)) : a;
            int d = dim == null ? 0 : Shape.dim(dim, a.rank());
            TensorImpl wide = t.own(Views.unsqueeze(from, d + 1));
            long[] shape = wide.shape().clone();
            shape[d + 1] = times;
            TensorImpl seen = t.own(Views.expand(wide, shape));
            TensorImpl copy = t.own(cloneContiguous(seen));
            return Views.flatten(copy, d, d + 1);
        }
    }

    private static TensorImpl cloneContiguous(TensorImpl a) {
        TensorImpl out = Copies.fill(TensorImpl.empty(a.device(), a.dtype(), a.shape()), a);
        if (Graph.wanted(a)) {
            Graph.recordUnary("CloneBackward0", out, a, (n, g) -> g.retain());
        }
        return out;
    }
}
