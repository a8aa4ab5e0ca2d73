package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.SparseSums;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.sparse.Coalescing;
import io.vramlab.tensor.internal.ops.sparse.SparseRows;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.TensorException;

/**
 * Sparse tensors: rows, and where in the first dimension they belong. The gradient of an embedding with {@code sparse} is one:
 * it has the rows that were looked up, once for each look. They can be added, multiplied by a number, copied, merged and made
 * dense; anything else is an error that says so. Gradients do not pass through them.
 */
abstract sealed class SparseMethods extends ValueMethods permits GradientMethods {

    /**
     * A tensor of rows and the places where they belong: {@code torch.sparse_coo_tensor} with one sparse dimension.
     *
     * @param indices
     *            int64 [1, entries]; a place may be there several times, and counts as the sum then; shared
     * @param values
     *            [entries, the rest of the shape]; shared
     * @param shape
     *            of the whole
     * @return a new sparse tensor, which takes no memory of its own
     * @throws TensorException
     *             if these do not fit together
     */
    public static Tensor sparseCooTensor(Tensor indices, Tensor values, long... shape) {
        return Calls.call(a -> SparseSums.of(a[0], a[1], shape), indices, values);
    }

    /** {@return whether it is sparse} As {@code torch.Tensor.is_sparse}. */
    public boolean isSparse() {
        return read(TensorImpl::isSparse);
    }

    /**
     * {@return whether each row is there once, in order} As {@code torch.Tensor.is_coalesced}.
     *
     * @throws TensorException
     *             if it is not sparse
     */
    public boolean isCoalesced() {
        return read(a -> SparseRows.require(a, "isCoalesced").isCoalesced());
    }

    /**
     * {@return how many rows are there} As {@code torch.Tensor._nnz}.
     *
     * @throws TensorException
     *             if it is not sparse
     */
    public long nnz() {
        return read(a -> SparseRows.require(a, "nnz").entries());
    }

    /**
     * Rows of one place become their sum, in order. As {@code torch.Tensor.coalesce}.
     *
     * @return a new sparse tensor, of as many index entries as this has in memory and as many rows as there are places; another
     *         handle on this one if it is merged. The device is waited for
     * @throws TensorException
     *             if it is not sparse, or on a device without values
     */
    public Tensor coalesce() {
        return map(a -> Coalescing.of(SparseRows.require(a, "coalesce")));
    }

    /**
     * Where the rows belong. As {@code torch.Tensor.indices}.
     *
     * @return int64 [1, entries], the tensor's own memory
     * @throws TensorException
     *             if it is not sparse, or not merged
     */
    public Tensor indices() {
        return map(a -> Views.detach(SparseRows.requireMerged(a, "indices").indices()));
    }

    /**
     * The rows. As {@code torch.Tensor.values}. The numbers of a dense tensor are its {@link #toArray()}.
     *
     * @return [entries, the rest of the shape], the tensor's own memory
     * @throws TensorException
     *             if it is not sparse, or not merged
     */
    public Tensor values() {
        return map(a -> Views.detach(SparseRows.requireMerged(a, "values").values()));
    }

    /**
     * Where the rows belong, merged or not. As {@code torch.Tensor._indices}.
     *
     * @return int64 [1, entries], the tensor's own memory
     * @throws TensorException
     *             if it is not sparse
     */
    public Tensor _indices() {
        return map(a -> Views.detach(SparseRows.require(a, "_indices").indices()));
    }

    /**
     * The rows, merged or not. As {@code torch.Tensor._values}.
     *
     * @return [entries, the rest of the shape], the tensor's own memory
     * @throws TensorException
     *             if it is not sparse
     */
    public Tensor _values() {
        return map(a -> Views.detach(SparseRows.require(a, "_values").values()));
    }

    /**
     * The same with all its zeros. As {@code torch.Tensor.to_dense}.
     *
     * @return a new tensor of the whole shape; another handle on this one if it is dense
     */
    public Tensor toDense() {
        return map(SparseRows::dense);
    }

    /**
     * The rows of this that a sparse tensor has. As {@code torch.Tensor.sparse_mask}.
     *
     * @param mask
     *            sparse, of this shape
     * @return a new sparse tensor with indices of its own; twice its values' size and one number are there for a moment
     * @throws TensorException
     *             if the mask is not sparse, or of another shape
     */
    public Tensor sparseMask(Tensor mask) {
        return with(mask, SparseRows::mask);
    }
}
