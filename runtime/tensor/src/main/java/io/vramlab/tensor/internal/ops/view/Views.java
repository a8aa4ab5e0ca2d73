package io.vramlab.tensor.internal.ops.view;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Other looks at the same storage: no memory is taken, except by reshape where no view exists. */
public final class Views {

    private Views() {
    }

    public static TensorImpl tie(String name, TensorImpl a, TensorImpl out,
            BiFunction<Node, TensorImpl, TensorImpl> formula) {
        out.markView(a);
        if (Graph.wanted(a)) {
            Graph.recordUnary(name, out, a, formula);
        } else if (a.saysRequiresGrad()) {
            out.markViewOfWanted();
        }
        return out;
    }

    public static TensorImpl detach(TensorImpl a) {
        return a.alias();
    }

    /** One size may be -1: it follows from the others. */
    static long[] infer(long[] shape, long count) {
        int unknown = -1;
        long known = 1;
        for (int d = 0; d < shape.length; d++) {
            if (shape[d] == -1 && unknown < 0) {
                unknown = d;
            } else if (shape[d] < 0) {
                throw new TensorException("Shape " + Shape.text(shape) + " was asked for: only one size can be -1, all "
                        + "others are 0 or more.");
            } else {
                known *= shape[d];
            }
        }
        long[] out = shape.clone();
        if (unknown >= 0 && known > 0 && count % known == 0) {
            out[unknown] = count / known;
        } else if (unknown >= 0 || known != count) {
            throw new TensorException("shape '" + Shape.text(shape) + "' is invalid for input of size " + count
                    + ": the sizes must multiply to it.");
        }
        return out;
    }

    public static TensorImpl view(TensorImpl a, long... wanted) {
        long[] shape = infer(wanted, a.count());
        long[] strides = Strides.view(a.shape(), a.strides(), shape);
        if (strides == null) {
            throw new TensorException("view of shape " + Shape.text(shape) + " was asked of a tensor of shape "
                    + Shape.text(a.shape()) + " and strides " + Shape.text(a.strides())
                    + ": view size is not compatible with input tensor's size and stride. Use reshape(...) instead.");
        }
        long[] was = a.shape();
        return tie("ViewBackward0", a, a.alias(shape, strides, a.offset()), (n, g) -> reshape(g, was));
    }

    /** A view of a fresh result that nobody else will see: not marked as one, so that it may be changed in place. */
    public static TensorImpl unsafeView(TensorImpl a, long... shape) {
        long[] was = a.shape();
        TensorImpl out = a.alias(shape, Strides.view(was, a.strides(), shape), a.offset());
        if (Graph.wanted(a)) {
            Graph.recordUnary("UnsafeViewBackward0", out, a, (n, g) -> reshape(g, was));
        }
        return out;
    }

    public static TensorImpl reshape(TensorImpl a, long... wanted) {
        long[] shape = infer(wanted, a.count());
        if (Strides.view(a.shape(), a.strides(), shape) != null) {
            return view(a, shape);
        }
        TensorImpl copy = Copies.contiguous(a);
        try {
            return unsafeView(copy, shape);
        } finally {
            copy.release();
        }
    }

    public static TensorImpl transpose(TensorImpl a, int dim0, int dim1) {
        int x = Shape.dim(dim0, a.rank());
        int y = Shape.dim(dim1, a.rank());
        int[] order = new int[a.rank()];
        Arrays.setAll(order, i -> i == x ? y : i == y ? x : i);
        return permuted(a, order, "TransposeBackward0");
    }

    /** Of a matrix; a vector stays what it is. */
    public static TensorImpl t(TensorImpl a) {
        if (a.rank() > 2) {
            throw new TensorException("t() expects a tensor with <= 2 dimensions, but self is " + a.rank()
                    + "D: use transpose(dim0, dim1).");
        }
        return a.rank() < 2
                ? permuted(a, a.rank() == 0 ? new int[0] : new int[]{0}, "TBackward0")
                : permuted(a, new int[]{1, 0}, "TBackward0");
    }

    public static TensorImpl permute(TensorImpl a, int... dims) {
        int[] order = Arrays.stream(dims).map(d -> Shape.dim(d, a.rank())).toArray();
        if (dims.length != a.rank() || Arrays.stream(order).distinct().count() != order.length) {
            throw new TensorException("permute(" + Arrays.toString(dims) + ") was asked of a tensor of shape "
                    + Shape.text(a.shape()) + ": name each of its " + a.rank() + " dimensions once.");
        }
        return permuted(a, order, "PermuteBackward0");
    }

    private static TensorImpl permuted(TensorImpl a, int[] order, String name) {
        long[] shape = new long[order.length];
        long[] strides = new long[order.length];
        int[] back = new int[order.length];
        for (int d = 0; d < order.length; d++) {
            shape[d] = a.shape()[order[d]];
            strides[d] = a.strides()[order[d]];
            back[order[d]] = d;
        }
        return tie(name, a, a.alias(shape, strides, a.offset()), (n, g) -> permuted(g, back, name));
    }

    public static TensorImpl expand(TensorImpl a, long... wanted) {
        if (wanted.length < a.rank()) {
            throw refuseExpand(a, wanted);
        }
        long[] shape = wanted.clone();
        int lead = shape.length - a.rank();
        for (int d = 0; d < shape.length; d++) {
            long size = d < lead ? 1 : a.shape()[d - lead];
            if (shape[d] == -1 && d >= lead) {
                shape[d] = size;
            }
            if (shape[d] != size && size != 1 || shape[d] < 0) {
                throw refuseExpand(a, wanted);
            }
        }
        return tie("ExpandBackward0", a, a.alias(shape, a.expandedStrides(shape), a.offset()), (n, g) -> g.retain());
    }

    private static TensorException refuseExpand(TensorImpl a, long[] wanted) {
        return new TensorException("expand to " + Shape.text(wanted) + " was asked of a tensor of shape "
                + Shape.text(a.shape()) + ": only dimensions of size 1 can grow, and new ones come first.");
    }

    public static TensorImpl unsqueeze(TensorImpl a, int dim) {
        int d = Shape.dim(dim, a.rank() + 1);
        long[] shape = insert(a.shape(), d, 1);
        long[] strides = insert(a.strides(), d, d < a.rank() ? a.shape()[d] * a.strides()[d] : 1);
        return tie("UnsqueezeBackward0", a, a.alias(shape, strides, a.offset()), (n, g) -> squeeze(g, d));
    }

    /** Drops a dimension of size 1; leaves any other. */
    public static TensorImpl squeeze(TensorImpl a, int dim) {
        int d = Shape.dim(dim, a.rank());
        if (a.rank() == 0 || a.shape()[d] != 1) {
            return tie("SqueezeBackward1", a, a.alias(), (n, g) -> g.retain());
        }
        TensorImpl out = a.alias(remove(a.shape(), d), remove(a.strides(), d), a.offset());
        return tie("SqueezeBackward1", a, out, (n, g) -> unsqueeze(g, d));
    }

    /** Drops all dimensions of size 1. */
    public static TensorImpl squeeze(TensorImpl a) {
        long[] was = a.shape();
        int[] kept = java.util.stream.IntStream.range(0, a.rank()).filter(d -> was[d] != 1).toArray();
        long[] shape = Arrays.stream(kept).mapToLong(d -> was[d]).toArray();
        long[] strides = Arrays.stream(kept).mapToLong(d -> a.strides()[d]).toArray();
        return tie("SqueezeBackward0", a, a.alias(shape, strides, a.offset()),
                (n, g) -> shape.length == was.length ? g.retain() : reshape(g, was));
    }

    public static TensorImpl flatten(TensorImpl a, int start, int end) {
        int from = Shape.dim(start, a.rank());
        int to = Shape.dim(end, a.rank());
        if (from > to) {
            throw new TensorException(
                    "flatten from dimension " + start + " to " + end + " was asked of a tensor of shape "
                            + Shape.text(a.shape()) + ": the first must not come after the last.");
        }
        if (a.rank() == 0) {
            return reshape(a, 1);
        }
        if (from == to) {
            return a.retain();
        }
        long[] shape = new long[a.rank() - (to - from)];
        long merged = 1;
        for (int d = 0; d < a.rank(); d++) {
            if (d < from) {
                shape[d] = a.shape()[d];
            } else if (d > to) {
                shape[d - (to - from)] = a.shape()[d];
            } else {
                merged *= a.shape()[d];
            }
        }
        shape[from] = merged;
        return reshape(a, shape);
    }

    public static TensorImpl select(TensorImpl a, int dim, long index) {
        int d = Shape.dim(dim, a.rank());
        if (a.rank() == 0 || index < -a.shape()[d] || index >= a.shape()[d]) {
            throw new TensorException("select(): index " + index + " out of range for tensor of size "
                    + Shape.text(a.shape()) + " at dimension " + d + ".");
        }
        long at = index < 0 ? index + a.shape()[d] : index;
        long[] was = a.shape();
        TensorImpl out = a.alias(remove(was, d), remove(a.strides(), d), a.offset() + at * a.strides()[d]);
        return tie("SelectBackward0", a, out, (n, g) -> scatterBack(n.name(), g, was, whole -> select(whole, d, at)));
    }

    public static TensorImpl slice(TensorImpl a, int dim, long start, long end, long step) {
        int d = Shape.dim(dim, a.rank());
        if (step <= 0 || a.rank() == 0) {
            throw new TensorException("slice step " + step + " was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": the step must be positive, and the tensor must have a dimension to cut.");
        }
        long size = a.shape()[d];
        long from = Math.clamp(start < 0 ? start + size : start, 0, size);
        long to = Math.clamp(end < 0 ? end + size : end, from, size);
        long[] was = a.shape();
        long[] shape = was.clone();
        shape[d] = (to - from + step - 1) / step;
        long[] strides = a.strides().clone();
        strides[d] *= step;
        TensorImpl out = a.alias(shape, strides, a.offset() + from * a.strides()[d]);
        return tie("SliceBackward0", a, out,
                (n, g) -> scatterBack(n.name(), g, was, whole -> slice(whole, d, from, to, step)));
    }

    /** Zeros of the base's shape with the gradient in the place of the view: PyTorch's select_backward and its like, named after the
     * node that asks. */
    public static TensorImpl scatterBack(String of, TensorImpl g, long[] shape, UnaryOperator<TensorImpl> place) {
        TensorImpl whole = Factories.full(g.device(), g.dtype(), 0, shape);
        try (Temps t = new Temps()) {
            t.own(whole);
            TensorImpl window = t.own(place.apply(whole));
            Launch.into(ElementOp.COPY, Launch.NONE, window, g);
            if (Graph.wanted(g)) {
                Graph.recordUnary(of.replace("0", "Backward0"), whole, g, (n, second) -> place.apply(second));
            }
            return t.give(whole);
        }
    }

    public static TensorImpl narrow(TensorImpl a, int dim, long start, long length) {
        int d = Shape.dim(dim, a.rank());
        if (a.rank() == 0 || start < 0 || length < 0 || start + length > a.shape()[d]) {
            throw new TensorException(
                    "narrow(" + dim + ", " + start + ", " + length + ") was asked of a tensor of shape "
                            + Shape.text(a.shape()) + ": start and length must stay inside the dimension.");
        }
        return slice(a, d, start, start + length, 1);
    }

    public static long[] insert(long[] a, int at, long value) {
        long[] out = new long[a.length + 1];
        System.arraycopy(a, 0, out, 0, at);
        out[at] = value;
        System.arraycopy(a, at, out, at + 1, a.length - at);
        return out;
    }

    public static long[] remove(long[] a, int at) {
        long[] out = new long[a.length - 1];
        System.arraycopy(a, 0, out, 0, at);
        System.arraycopy(a, at + 1, out, at, out.length - at);
        return out;
    }
}
