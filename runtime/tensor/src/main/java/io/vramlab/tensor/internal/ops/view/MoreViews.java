package io.vramlab.tensor.internal.ops.view;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Further looks at the same storage: moved dimensions, sliding windows, any strides, parts. */
public final class MoreViews {

    private MoreViews() {
    }

    public static TensorImpl movedim(TensorImpl a, int[] from, int[] to) {
        if (from.length != to.length) {
            throw new TensorException("movedim: Invalid source or destination dims: " + Arrays.toString(from) + " and "
                    + Arrays.toString(to) + " must be equally long.");
        }
        Integer[] order = new Integer[a.rank()];
        List<Integer> rest = new ArrayList<>();
        for (int d = 0; d < a.rank(); d++) {
            rest.add(d);
        }
        for (int i = 0; i < from.length; i++) {
            int source = Shape.dim(from[i], a.rank());
            order[Shape.dim(to[i], a.rank())] = source;
            rest.remove((Integer) source);
        }
        for (int d = 0; d < order.length; d++) {
            if (order[d] == null) {
                order[d] = rest.removeFirst();
            }
        }
        return Views.permute(a, Arrays.stream(order).mapToInt(Integer::intValue).toArray());
    }

    /** Windows of a size along a dimension, as a last dimension; they overlap if the step is less. */
    public static TensorImpl unfold(TensorImpl a, int dim, long size, long step) {
        int d = Shape.dim(dim, a.rank());
        long length = a.rank() == 0 ? 1 : a.shape()[d];
        if (size < 0 || size > length || step <= 0) {
            throw new TensorException(
                    "unfold of windows of " + size + " by steps of " + step + " was asked of a tensor of "
                            + "shape " + Shape.text(a.shape()) + " at dimension " + d + ": maximum size is " + length
                            + ", and the step must be positive.");
        }
        if (a.rank() == 0) {
            return Views.view(a, 1);
        }
        long[] shape = Views.insert(a.shape(), a.rank(), size);
        long[] strides = Views.insert(a.strides(), a.rank(), a.strides()[d]);
        shape[d] = (length - size) / step + 1;
        strides[d] = step * a.strides()[d];
        long[] was = a.shape();
        return Views.tie("UnfoldBackward0", a, a.alias(shape, strides, a.offset()), (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl grad = t.own(Factories.full(g.device(), g.dtype(), 0, was));
                // PyTorch's kernel is given the positions of the dimension
                TensorImpl places = t.own(Factories.arange(g.device(), DType.INT64, 0, length, 1));
                for (long k = 0; k < size; k++) {
                    TensorImpl part = t.own(Views.select(g, was.length, k));
                    long[] to = was.clone();
                    long[] steps = grad.strides().clone();
                    to[d] = shape[d];
                    steps[d] *= step;
                    TensorImpl place = t.own(grad.alias(to, steps, k * grad.strides()[d]));
                    Launch.into(ElementOp.ADD, new double[]{1}, place, place, part);
                }
                t.free(places);
                return t.give(grad);
            }
        });
    }

    /** Any sizes and strides over the same memory, from an element of the storage. */
    public static TensorImpl asStrided(TensorImpl a, long[] shape, long[] strides, long offset) {
        long last = offset;
        for (int d = 0; d < shape.length; d++) {
            last += (shape[d] - 1) * strides[d];
        }
        long room = a.storage().bytes() / a.dtype().bytes();
        if (shape.length != strides.length || offset < 0 || Shape.count(shape) > 0 && last >= room) {
            throw new TensorException("as_strided of sizes " + Shape.text(shape) + ", strides " + Shape.text(strides)
                    + " and offset " + offset + " was asked of a storage of " + room
                    + " elements: sizes and strides must be equally many, and stay inside the storage.");
        }
        long[] was = a.shape();
        long[] wasStrides = a.strides();
        long from = offset - a.offset();
        return Views.tie("AsStridedBackward0", a, a.alias(shape, strides, offset), (n, g) -> {
            try (Temps t = new Temps()) {
                TensorImpl grad = t.own(TensorImpl.emptyStrided(g.device(), g.dtype(), was,
                        dense(was, wasStrides) ? wasStrides : Shape.contiguous(was)));
                Launch.into(ElementOp.FILL, new double[]{0}, grad);
                TensorImpl place = t.own(grad.alias(shape, strides, from));
                Launch.into(ElementOp.ADD, new double[]{1}, place, place, g);
                return t.give(grad);
            }
        });
    }

    private static boolean dense(long[] shape, long[] strides) {
        long expected = 1;
        for (int d : Strides.order(shape, strides)) {
            if (shape[d] != 1 && strides[d] != expected) {
                return false;
            }
            expected *= shape[d];
        }
        return true;
    }

    /** One dimension as several; one size may be -1. */
    public static TensorImpl unflatten(TensorImpl a, int dim, long... sizes) {
        int d = Shape.dim(dim, a.rank());
        long[] parts = Views.infer(sizes, a.shape()[d]);
        long[] shape = new long[a.rank() - 1 + parts.length];
        System.arraycopy(a.shape(), 0, shape, 0, d);
        System.arraycopy(parts, 0, shape, d, parts.length);
        System.arraycopy(a.shape(), d + 1, shape, d + parts.length, a.rank() - d - 1);
        return Views.view(a, shape);
    }

    /** So many parts, the first ones larger by one where they cannot be equal; each a view of its own. */
    public static TensorImpl[] tensorSplit(TensorImpl a, int parts, int dim) {
        int d = Shape.dim(dim, a.rank());
        if (parts <= 0) {
            throw new TensorException(
                    "tensor_split expected a number of sections greater than 0, but got " + parts + ".");
        }
        long size = a.shape()[d];
        TensorImpl[] out = new TensorImpl[parts];
        long from = 0;
        for (int i = 0; i < parts; i++) {
            long length = size / parts + (i < size % parts ? 1 : 0);
            out[i] = Views.slice(a, d, from, from + length, 1);
            from += length;
        }
        return out;
    }

    /** Parts that end before those indices; each a view of its own. */
    public static TensorImpl[] tensorSplit(TensorImpl a, long[] ends, int dim) {
        int d = Shape.dim(dim, a.rank());
        TensorImpl[] out = new TensorImpl[ends.length + 1];
        long from = 0;
        for (int i = 0; i <= ends.length; i++) {
            long end = i < ends.length ? ends[i] : Long.MAX_VALUE;
            out[i] = Views.slice(a, d, from, Math.max(end, from), 1);
            from = end;
        }
        return out;
    }

    /** At least that many dimensions: new ones in front, of three the last is behind. */
    public static TensorImpl atLeast(TensorImpl a, int dims) {
        try (Temps t = new Temps()) {
            TensorImpl out = a.retain();
            t.own(out);
            if (dims == 3 && a.rank() == 2) {
                return Views.unsqueeze(a, -1);
            }
            if (dims == 3 && a.rank() == 1) {
                return Views.unsqueeze(t.own(Views.unsqueeze(a, 0)), -1);
            }
            while (out.rank() < dims) {
                out = t.own(Views.unsqueeze(out, 0));
            }
            return out.retain();
        }
    }

    /** Vectors as grids: each seen along its own dimension. */
    public static TensorImpl[] meshgrid(boolean xy, TensorImpl... vectors) {
        boolean swapped = xy && vectors.length >= 2;
        TensorImpl[] order = vectors.clone();
        if (swapped) {
            order[0] = vectors[1];
            order[1] = vectors[0];
        }
        long[] shape = Arrays.stream(order).mapToLong(TensorImpl::count).toArray();
        TensorImpl[] out = new TensorImpl[order.length];
        for (int i = 0; i < out.length; i++) {
            try (Temps t = new Temps()) {
                long[] place = new long[shape.length];
                Arrays.fill(place, 1);
                place[i] = shape[i];
                TensorImpl seen = t.own(Views.expand(t.own(Views.view(order[i], place)), shape));
                out[i] = swapped ? Views.transpose(seen, 0, 1) : seen.retain();
            }
        }
        if (swapped) {
            TensorImpl first = out[0];
            out[0] = out[1];
            out[1] = first;
        }
        return out;
    }

    /** Gives a tensor the form of a view of it; what comes back in backward is turned the other way. */
    public static void become(TensorImpl a, String node, UnaryOperator<TensorImpl> form,
            UnaryOperator<TensorImpl> back) {
        Graph.checkInPlace(a);
        Node recorded = Graph.wanted(a)
                ? Graph.unbound(node, (k, g) -> new TensorImpl[]{back.apply(g)}, a)
                : null;
        try (GradMode.State off = GradMode.enter(false); Temps t = new Temps()) {
            a.setData(t.own(form.apply(a)));
        } catch (RuntimeException e) {
            if (recorded != null) {
                recorded.release();
            }
            throw e;
        }
        a.bumpVersion();
        if (recorded != null) {
            Graph.reshaped(a, recorded);
        }
    }
}
