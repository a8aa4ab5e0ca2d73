package io.vramlab.tensor.internal.ops.arrange;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.MemoryOrder;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Padding of the last dimensions. PyTorch's kernels take the result alone, and so does this: the result consists of
 * pieces, in each dimension the middle or one line of a border, and every piece is a copy of one of the input. Backward
 * adds each piece where it came from, in a fixed order.
 */
public final class Pads {

    /** What stands in the borders. */
    public enum Mode {
        CONSTANT, REFLECT, REPLICATE
    }

    private Pads() {
    }

    /** Pads as PyTorch orders them: before and after the last dimension, then of the one before it, … */
    public static TensorImpl pad(TensorImpl a, long[] pads, Mode mode, double value) {
        check(a, pads, mode);
        long[] shape = a.shape().clone();
        for (int i = 0; i < pads.length / 2; i++) {
            shape[a.rank() - 1 - i] += pads[2 * i] + pads[2 * i + 1];
        }
        try (Temps t = new Temps()) {
            boolean last = mode == Mode.CONSTANT && MemoryOrder.suggestsChannelsLast(a);
            TensorImpl out = t.own(MemoryOrder.empty(a, shape, last));
            if (mode == Mode.CONSTANT) {
                Launch.into(ElementOp.FILL, new double[]{value}, out);
            }
            if (a.count() > 0 && out.count() > 0) {
                pieces(a, out, pads, mode, (in, to) -> Launch.into(ElementOp.COPY, Launch.NONE, to, in));
            }
            tie(a, out, pads, mode);
            return t.give(out);
        }
    }

    private static void tie(TensorImpl a, TensorImpl out, long[] pads, Mode mode) {
        if (Graph.wanted(a)) {
            long[] was = a.shape();
            String name = mode == Mode.CONSTANT
                    ? "ConstantPadNdBackward0"
                    : (mode == Mode.REFLECT ? "ReflectionPad" : "ReplicationPad") + pads.length / 2 + "DBackward0";
            Graph.recordUnary(name, out, a, (n, g) -> backward(g, was, pads, mode));
        }
    }

    private static void check(TensorImpl a, long[] pads, Mode mode) {
        if (pads.length % 2 != 0 || pads.length / 2 > a.rank()) {
            throw new TensorException(
                    "Padding length must be divisible by 2 and at most twice the number of dimensions, "
                            + "but got " + Arrays.toString(pads) + " for " + Shape.text(a.shape()) + ".");
        }
        for (int i = 0; i < pads.length; i++) {
            long size = a.shape()[a.rank() - 1 - i / 2];
            if (mode == Mode.REFLECT && pads[i] >= size) {
                throw new TensorException(
                        "Padding size should be less than the corresponding input dimension, but got: "
                                + "padding " + Arrays.toString(pads) + " of input " + Shape.text(a.shape()) + ".");
            }
            if (size + pads[i / 2 * 2] + pads[i / 2 * 2 + 1] < 0) {
                throw new TensorException("The padding " + Arrays.toString(pads) + " of input " + Shape.text(a.shape())
                        + " results in a negative output size, which is invalid. Pad less.");
            }
        }
    }

    /** One stretch of a dimension: where it lies in the input and in the result, and how long it is. */
    private record Stretch(long in, long out, long length) {
    }

    private static List<Stretch> stretches(long size, long before, long after, Mode mode) {
        List<Stretch> all = new ArrayList<>();
        long start = Math.max(0, -before);
        long end = size - Math.max(0, -after);
        all.add(new Stretch(start, Math.max(0, before), end - start));
        for (long p = 1; mode != Mode.CONSTANT && p <= before; p++) {
            all.add(new Stretch(mode == Mode.REFLECT ? p : 0, before - p, 1));
        }
        for (long p = 1; mode != Mode.CONSTANT && p <= after; p++) {
            all.add(new Stretch(mode == Mode.REFLECT ? size - 1 - p : size - 1, before + size + p - 1, 1));
        }
        return all;
    }

    /** Every piece of the input beside its piece of the result. */
    private static void pieces(TensorImpl in, TensorImpl out, long[] pads, Mode mode,
            BiConsumer<TensorImpl, TensorImpl> action) {
        pieces(in, out, pads, mode, 0, action);
    }

    private static void pieces(TensorImpl in, TensorImpl out, long[] pads, Mode mode, int i,
            BiConsumer<TensorImpl, TensorImpl> action) {
        if (2 * i == pads.length) {
            action.accept(in, out);
            return;
        }
        int d = in.rank() - 1 - i;
        for (Stretch s : stretches(in.shape()[d], pads[2 * i], pads[2 * i + 1], mode)) {
            try (Temps t = new Temps()) {
                pieces(t.own(part(in, d, s.in, s.length)), t.own(part(out, d, s.out, s.length)), pads, mode, i + 1,
                        action);
            }
        }
    }

    private static TensorImpl part(TensorImpl a, int dim, long start, long length) {
        long[] shape = a.shape().clone();
        shape[dim] = Math.max(0, length);
        return a.alias(shape, a.strides(), a.offset() + start * a.strides()[dim]);
    }

    private static TensorImpl backward(TensorImpl g, long[] was, long[] pads, Mode mode) {
        if (mode == Mode.CONSTANT) {
            long[] back = new long[pads.length];
            Arrays.setAll(back, i -> -pads[i]);
            return pad(g, back, Mode.CONSTANT, 0);
        }
        try (Temps t = new Temps()) {
            TensorImpl grad = t.own(Factories.full(g.device(), g.dtype(), 0, was));
            pieces(grad, g, pads, mode, (in, from) -> Launch.into(ElementOp.ADD, new double[]{1}, in, in, from));
            if (Graph.wanted(g)) {
                Graph.recordUnary((mode == Mode.REFLECT ? "ReflectionPad" : "ReplicationPad") + pads.length / 2
                        + "DBackwardBackward0", grad, g, (n, second) -> pad(second, pads, mode, 0)).differentiable();
            }
            return t.give(grad);
        }
    }
}
