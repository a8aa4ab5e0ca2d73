package io.vramlab.tensor.internal.core;

import io.vramlab.device.Device;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/**
 * Sums and multiples of sparse tensors with the memory of PyTorch's SparseCUDATensorMath.cu: two sparse ones are joined, not
 * merged; into a dense one rows are added where they belong. Outside the graph. See docs/footprint.md, "Sparse gradients".
 */
public final class SparseSums {

    private SparseSums() {
    }

    /** {@code a + alpha * b}, at least one of which is sparse; the caller holds it. */
    public static TensorImpl add(TensorImpl a, TensorImpl b, double alpha) {
        requireSame(a, b);
        if (a.isSparse()) {
            return joined(a, b, alpha);
        }
        TensorImpl out = TensorImpl.empty(a.device(), a.dtype(), a.shape());
        try {
            Launch.into(ElementOp.COPY, Launch.NONE, out, a);
            addRows(out, b, alpha);
            return out.retain();
        } finally {
            out.release();
        }
    }

    /** {@code a += alpha * b}, at least one of which is sparse. */
    public static void addInto(TensorImpl a, TensorImpl b, double alpha) {
        requireSame(a, b);
        if (!a.isSparse()) {
            addRows(a, b, alpha);
            a.bumpVersion();
            return;
        }
        TensorImpl sum = joined(a, b, alpha);
        try {
            a.become(sum);
        } finally {
            sum.release();
        }
    }

    private static void requireSame(TensorImpl a, TensorImpl b) {
        if (a.isSparse() && !b.isSparse()) {
            throw new TensorException("add(sparse, dense) is not supported: " + a.describe() + " and " + b.describe()
                    + " were given. Use add(dense, sparse) instead.");
        }
        if (!Arrays.equals(a.shape(), b.shape()) || a.dtype() != b.dtype()) {
            throw new TensorException("add: expected sizes and dtypes of 'self' and 'other' to match, but "
                    + a.describe() + " and " + b.describe() + " were given. Sparse tensors are not broadcast.");
        }
        Launch.device("add", a, b);
    }

    /** The rows of both, as they are: rows that both have are there twice. */
    private static TensorImpl joined(TensorImpl a, TensorImpl b, double alpha) {
        if (b.entries() == 0) {
            return cloned(a);
        }
        if (a.entries() == 0) {
            return scaled(b, alpha);
        }
        try (Temps t = new Temps()) {
            TensorImpl given = alpha == 1
                    ? b.values()
                    : t.own(Launch.unary(ElementOp.MUL_SCALAR, b.values(), b.dtype(), alpha));
            TensorImpl indices = t.own(beside(a.indices(), b.indices(), 1));
            TensorImpl values = t.own(beside(a.values(), given, 0));
            return TensorImpl.sparse(a.shape(), t.give(indices), t.give(values), false);
        }
    }

    private static TensorImpl beside(TensorImpl a, TensorImpl b, int dim) {
        long[] shape = a.shape().clone();
        shape[dim] += b.shape()[dim];
        TensorImpl out = TensorImpl.empty(a.device(), a.dtype(), shape);
        try (Temps t = new Temps()) {
            t.own(out);
            TensorImpl first = t.own(out.alias(a.shape().clone(), out.strides(), 0));
            TensorImpl second = t.own(out.alias(b.shape().clone(), out.strides(), a.shape()[dim] * out.strides()[dim]));
            Launch.into(ElementOp.COPY, Launch.NONE, first, a);
            Launch.into(ElementOp.COPY, Launch.NONE, second, b);
            return t.give(out);
        }
    }

    /** {@code dense[indices] += alpha * values}: takes nothing. */
    private static void addRows(TensorImpl dense, TensorImpl sparse, double alpha) {
        if (sparse.entries() == 0 || sparse.values().count() == 0) {
            return;
        }
        try (Temps t = new Temps()) {
            TensorImpl values = t.own(Copies.contiguous(sparse.values()));
            TensorImpl rows = t.own(sparse.rows());
            Runnable add = () -> dense.driver().kernels().indexAdd(dense.operand(), rows.operand(), values.operand(),
                    dense.stream());
            if (alpha == 1) {
                add.run();
            } else {
                scaledMeanwhile(values, alpha, add);
            }
        }
    }

    /** The kernel that adds rows knows no factor, and PyTorch's takes no memory: the rows are multiplied where they lie, and put back. */
    private static void scaledMeanwhile(TensorImpl values, double alpha, Runnable add) {
        if (!values.driver().kernels().computes()) {
            add.run();
            return;
        }
        try (Temps t = new Temps()) {
            TensorImpl host = t.own(TensorImpl.empty(Device.cpu(), values.dtype(), values.shape()));
            HostCopy.bytes(host, values, false);
            Launch.into(ElementOp.MUL_SCALAR, new double[]{alpha}, values, values);
            add.run();
            HostCopy.bytes(values, host, false);
        }
    }

    /** A copy: values first, then indices. */
    public static TensorImpl cloned(TensorImpl a) {
        return copied(a, ElementOp.COPY);
    }

    /** The opposite. */
    public static TensorImpl negated(TensorImpl a) {
        return copied(a, ElementOp.NEG);
    }

    private static TensorImpl copied(TensorImpl a, ElementOp op) {
        try (Temps t = new Temps()) {
            TensorImpl values = t.own(Launch.unary(op, a.values(), a.dtype()));
            TensorImpl indices = t.own(whole(a.indices()));
            return TensorImpl.sparse(a.shape(), t.give(indices), t.give(values), a.isCoalesced());
        }
    }

    /** A multiple: indices first, then values. */
    public static TensorImpl scaled(TensorImpl a, double factor) {
        try (Temps t = new Temps()) {
            TensorImpl indices = t.own(whole(a.indices()));
            TensorImpl values = t.own(Launch.unary(ElementOp.MUL_SCALAR, a.values(), a.dtype(), factor));
            return TensorImpl.sparse(a.shape(), t.give(indices), t.give(values), a.isCoalesced());
        }
    }

    /** Multiplies it: what it held before goes only when the product is there. */
    public static void scale(TensorImpl a, double factor) {
        TensorImpl product = scaled(a, factor);
        try {
            a.become(product);
        } finally {
            product.release();
        }
    }

    /** No entries any more. */
    public static void clear(TensorImpl a) {
        long[] width = a.values().shape().clone();
        width[0] = 0;
        try (Temps t = new Temps()) {
            TensorImpl indices = t.own(TensorImpl.empty(a.device(), a.indices().dtype(), 1, 0));
            TensorImpl values = t.own(TensorImpl.empty(a.device(), a.dtype(), width));
            a.empty(t.give(indices), t.give(values));
        }
    }

    private static TensorImpl whole(TensorImpl indices) {
        return Copies.fill(TensorImpl.empty(indices.device(), indices.dtype(), indices.shape()), indices);
    }

    /** The same on another device or of another dtype. */
    static TensorImpl to(TensorImpl a, Device device, io.vramlab.device.DType dtype) {
        try (Temps t = new Temps()) {
            TensorImpl indices = t.own(Copies.to(a.indices(), device, a.indices().dtype()));
            TensorImpl values = t.own(Copies.to(a.values(), device, dtype));
            return TensorImpl.sparse(a.shape(), t.give(indices), t.give(values), a.isCoalesced());
        }
    }

    /**
     * Rows and where they belong as a tensor of that shape; both are shared with it.
     *
     * @throws TensorException
     *             if the indices are no [1, entries] of int64, or the values not as wide as the shape's rows
     */
    public static TensorImpl of(TensorImpl indices, TensorImpl values, long... shape) {
        boolean fits = indices.rank() == 2 && indices.shape()[0] == 1
                && indices.dtype() == io.vramlab.device.DType.INT64
                && values.rank() == shape.length && values.rank() > 0 && values.shape()[0] == indices.shape()[1];
        for (int d = 1; fits && d < shape.length; d++) {
            fits = values.shape()[d] == shape[d];
        }
        if (!fits) {
            throw new TensorException("A sparse tensor of shape " + Shape.text(shape) + " was asked for with indices "
                    + indices.describe() + " and values " + values.describe()
                    + ": here one dimension is sparse, so give int64 indices of shape [1, entries] and values of shape "
                    + "[entries, the rest of the shape].");
        }
        Launch.device("sparse_coo_tensor", indices, values);
        if (Graph.wanted(values)) {
            throw new io.vramlab.tensor.type.AutogradException("A sparse tensor was asked for of values that are part "
                    + "of a graph (" + values.describe() + "): here gradients do not pass through sparse tensors. "
                    + "detach() them.");
        }
        return TensorImpl.sparse(shape, indices.alias(), values.alias(), false);
    }
}
