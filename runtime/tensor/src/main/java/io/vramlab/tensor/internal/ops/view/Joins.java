package io.vramlab.tensor.internal.ops.view;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Promotion;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Putting tensors together and taking them apart. */
public final class Joins {

    private Joins() {
    }

    public static TensorImpl cat(int dim, TensorImpl... parts) {
        if (parts.length == 0) {
            throw new TensorException("cat was asked of no tensors: give at least one.");
        }
        TensorImpl first = parts[0];
        int d = Shape.dim(dim, first.rank());
        long[] shape = first.shape().clone();
        if (first.rank() == 0) {
            throw new TensorException("zero-dimensional tensor (at position 0) cannot be concatenated: use stack.");
        }
        Launch.device("cat", parts);
        DType dtype = first.dtype();
        shape[d] = 0;
        for (int i = 0; i < parts.length; i++) {
            long[] s = parts[i].shape();
            long[] same = s.length == shape.length ? s.clone() : null;
            if (same != null) {
                same[d] = shape[d];
            }
            if (!Arrays.equals(same, shape)) {
                throw new TensorException("Sizes of tensors must match except in dimension " + d + ": got "
                        + Shape.text(first.shape()) + " and " + Shape.text(s) + " (tensor " + i + " of the list).");
            }
            shape[d] += s[d];
            dtype = Promotion.of(dtype, parts[i].dtype());
        }
        TensorImpl out = MemoryOrder.empty(first, dtype, shape,
                Arrays.stream(parts).allMatch(MemoryOrder::suggestsChannelsLast));
        fill(out, d, parts);
        if (Graph.wanted(parts)) {
            long[] sizes = Arrays.stream(parts).mapToLong(p -> p.shape()[d]).toArray();
            Graph.record("CatBackward0", out, (n, g) -> {
                TensorImpl[] grads = new TensorImpl[sizes.length];
                long from = 0;
                for (int i = 0; i < sizes.length; i++) {
                    grads[i] = n.wants(i) ? Views.narrow(g, d, from, sizes[i]) : null;
                    from += sizes[i];
                }
                return grads;
            }, parts);
        }
        return out;
    }

    private static void fill(TensorImpl out, int dim, TensorImpl... parts) {
        long from = 0;
        for (TensorImpl part : parts) {
            long size = part.shape()[dim];
            long[] shape = out.shape().clone();
            shape[dim] = size;
            TensorImpl window = out.alias(shape, out.strides(), out.offset() + from * out.strides()[dim]);
            try {
                Launch.into(ElementOp.COPY, Launch.NONE, window, part);
            } catch (RuntimeException e) {
                out.release();
                throw e;
            } finally {
                window.release();
            }
            from += size;
        }
    }

    public static TensorImpl stack(int dim, TensorImpl... parts) {
        if (parts.length == 0) {
            throw new TensorException("stack was asked of no tensors: give at least one.");
        }
        for (TensorImpl p : parts) {
            if (!Arrays.equals(p.shape(), parts[0].shape())) {
                throw new TensorException("stack expects each tensor to be equal size, but got "
                        + Shape.text(parts[0].shape()) + " and " + Shape.text(p.shape()) + ".");
            }
        }
        Launch.device("stack", parts);
        int d = Shape.dim(dim, parts[0].rank() + 1);
        long[] shape = Views.insert(parts[0].shape(), d, parts.length);
        DType dtype = parts[0].dtype();
        for (TensorImpl p : parts) {
            dtype = Promotion.of(dtype, p.dtype());
        }
        TensorImpl out = TensorImpl.emptyStrided(parts[0].device(), dtype, shape, stacked(shape, d, parts));
        for (int i = 0; i < parts.length; i++) {
            TensorImpl window = out.alias(Views.remove(shape, d), Views.remove(out.strides(), d),
                    out.offset() + i * out.strides()[d]);
            try {
                Launch.into(ElementOp.COPY, Launch.NONE, window, parts[i]);
            } catch (RuntimeException e) {
                out.release();
                throw e;
            } finally {
                window.release();
            }
        }
        if (Graph.wanted(parts)) {
            Graph.record("StackBackward0", out, (n, g) -> {
                TensorImpl[] grads = new TensorImpl[n.next().length];
                for (int i = 0; i < grads.length; i++) {
                    grads[i] = n.wants(i) ? Views.select(g, d, i) : null;
                }
                return grads;
            }, parts);
        }
        return out;
    }

    /** PyTorch puts them one after another along a dimension that is there and sees the whole otherwise. */
    private static long[] stacked(long[] shape, int dim, TensorImpl... parts) {
        long[] joined = parts[0].shape().clone();
        long[] strides = null;
        if (dim < joined.length && Arrays.stream(parts).allMatch(MemoryOrder::suggestsChannelsLast)) {
            joined[dim] *= parts.length;
            strides = Strides.view(joined, MemoryOrder.channelsLast(joined), shape);
        }
        return strides == null ? Shape.contiguous(shape) : strides;
    }

    /** Views of at most {@code size} along a dimension. */
    public static TensorImpl[] split(TensorImpl a, long size, int dim) {
        if (size <= 0 || a.rank() == 0) {
            throw new TensorException("split into parts of " + size + " was asked of a tensor of shape "
                    + Shape.text(a.shape()) + ": the size must be positive, and there must be a dimension to split.");
        }
        int d = Shape.dim(dim, a.rank());
        long whole = a.shape()[d];
        TensorImpl[] parts = new TensorImpl[(int) Math.max(1, (whole + size - 1) / size)];
        return views("SplitBackward0", a, parts, i -> Views.narrow(a, d, i * size, Math.min(size, whole - i * size)),
                grads -> cat(d, grads), (t, form) -> t.own(zeros(form, form.shape())));
    }

    /** Views of those sizes along a dimension. */
    public static TensorImpl[] split(TensorImpl a, long[] sizes, int dim) {
        int d = Shape.dim(dim, a.rank());
        long[] starts = new long[sizes.length];
        long end = 0;
        for (int i = 0; i < sizes.length; i++) {
            starts[i] = end;
            end += sizes[i];
        }
        if (end != a.shape()[d] || Arrays.stream(sizes).anyMatch(n -> n < 0)) {
            throw new TensorException("split expects sizes that are not negative and sum to exactly " + a.shape()[d]
                    + ", the size of " + Shape.text(a.shape()) + " at dimension " + dim + ", but got "
                    + Arrays.toString(sizes) + ".");
        }
        return views("SplitWithSizesBackward0", a, new TensorImpl[sizes.length],
                i -> Views.narrow(a, d, starts[i], sizes[i]), grads -> cat(d, grads),
                (t, form) -> t.own(zeros(form, form.shape())));
    }

    private static TensorImpl zeros(Node.Form form, long... shape) {
        return Factories.full(form.device(), form.dtype(), 0, shape);
    }

    /**
     * Several views of one tensor as results of one node, whose backward joins their gradients.
     *
     * @param missing
     *            zeros where no gradient came
     */
    private static TensorImpl[] views(String name, TensorImpl a, TensorImpl[] parts, IntFunction<TensorImpl> view,
            Function<TensorImpl[], TensorImpl> join, BiFunction<Temps, Node.Form, TensorImpl> missing) {
        try (GradMode.State off = GradMode.enter(false)) {
            for (int i = 0; i < parts.length; i++) {
                parts[i] = view.apply(i);
            }
        }
        if (Graph.wanted(a)) {
            Graph.recordSeveral(name, parts, (n, grads) -> {
                try (Temps t = new Temps()) {
                    TensorImpl[] all = new TensorImpl[grads.length];
                    for (int i = 0; i < all.length; i++) {
                        all[i] = grads[i] != null ? grads[i] : missing.apply(t, n.form(i));
                    }
                    TensorImpl joined = join.apply(all);
                    t.closeInOrder(); // a list of C++ lets its first element go first
                    return new TensorImpl[]{joined};
                }
            }, a);
        }
        return parts;
    }

    public static TensorImpl[] chunk(TensorImpl a, int chunks, int dim) {
        if (chunks <= 0) {
            throw new TensorException("chunk into " + chunks + " parts was asked for: the number must be positive.");
        }
        return split(a, Math.max(1, (a.size(dim) + chunks - 1) / chunks), dim);
    }

    public static TensorImpl[] unbind(TensorImpl a, int dim) {
        int d = Shape.dim(dim, a.rank());
        TensorImpl[] parts = new TensorImpl[(int) a.size(d)];
        return views("UnbindBackward0", a, parts, i -> Views.select(a, d, i), grads -> stack(d, grads),
                // one zero, seen everywhere
                (t, form) -> t.own(Views.expand(t.own(zeros(form)), form.shape())));
    }
}
