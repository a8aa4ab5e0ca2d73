package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.index.Indexing;
import io.vramlab.tensor.internal.ops.index.Lookup;
import io.vramlab.tensor.internal.ops.index.MaskedElements;
import io.vramlab.tensor.internal.ops.index.Positions;
import io.vramlab.tensor.internal.ops.index.Scatters;
import io.vramlab.tensor.internal.ops.index.Slices;
import io.vramlab.tensor.internal.values.Elements;
import io.vramlab.tensor.internal.values.NonZero;
import io.vramlab.tensor.type.Slice;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s elements by index: Python's brackets, gather, and where something is true. Indices are int64, from
 * the back when negative only in brackets and {@code take}; backward keeps them.
 */
abstract sealed class IndexMethods extends JoiningMethods permits ScatterMethods {

    /**
     * Python's {@code this[items]}: a whole number takes one of a dimension, a slice ({@code "2:5"}, {@code "::2"},
     * {@code ":"}, {@link Slice}) a part of it, null adds a dimension, {@code "..."} stands for all between; these give
     * a view. A tensor of int64 or bool, or an array of long, takes those elements: a copy. As
     * {@code torch.Tensor.__getitem__}.
     *
     * @param items
     *            one for each dimension, the rest being whole
     * @return a view, or with a tensor among the items a new tensor
     * @throws TensorException
     *             for items that are none of these, too many, or out of bounds
     */
    public Tensor index(Object... items) {
        return map(a -> Indexing.get(a, Calls.items(items)));
    }

    /**
     * The slices of a dimension that an int64 vector names. As {@code torch.index_select}.
     *
     * @param dim
     *            which one, from the back when negative
     * @param index
     *            int64 [many]
     * @return a new tensor with many along the dimension; backward keeps the index
     * @throws TensorException
     *             if the index is no int64 vector, or there is no such dimension
     */
    public Tensor indexSelect(int dim, Tensor index) {
        return with(index, (a, i) -> Slices.indexSelect(a, dim, i));
    }

    /**
     * {@code this[… index[…] …]} along a dimension; index is int64 of this rank. As {@code torch.gather}.
     *
     * @param dim
     *            which one, from the back when negative
     * @param index
     *            int64 of this rank, no larger than this but along {@code dim}
     * @return a new tensor of the index's shape; backward keeps this tensor and the index
     * @throws TensorException
     *             if dtype or shape of the index does not fit
     */
    public Tensor gather(int dim, Tensor index) {
        return with(index, (a, i) -> Lookup.gather(a, dim, i));
    }

    /**
     * As gather, with an index that is broadcast. As {@code torch.take_along_dim}.
     *
     * @param index
     *            int64 of this rank, broadcast in all other dimensions
     * @param dim
     *            which one, from the back when negative
     * @return a new tensor of the broadcast shape; an index that is broadcast is copied; backward keeps this tensor and
     *         the index
     * @throws TensorException
     *             if the ranks differ, or the index is not int64
     */
    public Tensor takeAlongDim(Tensor index, int dim) {
        return with(index, (a, i) -> Lookup.takeAlongDim(a, i, dim));
    }

    /**
     * Elements by their row-major positions. As {@code torch.take}.
     *
     * @param index
     *            int64 of any shape, as if this were flat
     * @return a new tensor of the index's shape; backward keeps this tensor and the index
     * @throws TensorException
     *             if the index is not int64
     */
    public Tensor take(Tensor index) {
        return with(index, Positions::take);
    }

    /**
     * The elements where mask is true, flat. Their number is known once the device was waited for. As
     * {@code torch.masked_select}.
     *
     * @param mask
     *            bool, broadcast
     * @return a new vector; backward keeps the mask
     * @throws TensorException
     *             if the mask is not bool, or on a device without values
     */
    public Tensor maskedSelect(Tensor mask) {
        return with(mask, MaskedElements::select);
    }

    /**
     * Where elements are not zero: [number, rank] of int64. Their number is known once the device was waited for. As
     * {@code torch.nonzero}.
     *
     * @return a new int64 tensor, outside the graph
     * @throws TensorException
     *             on a device without values, since the shape depends on them
     */
    public Tensor nonzero() {
        return map(NonZero::of);
    }

    /**
     * Where elements are not zero: one int64 vector for each dimension, Python's {@code nonzero(as_tuple=True)}. As
     * {@code torch.nonzero}.
     *
     * @return as many views of one new int64 tensor as there are dimensions
     * @throws TensorException
     *             on a device without values, since the shape depends on them
     */
    public Tensor[] nonzeroTuple() {
        return several(x -> NonZero.columns(x[0]));
    }

    /**
     * Where elements are not zero: [number, rank] of int64. As {@code torch.argwhere}.
     *
     * @return a new int64 tensor, outside the graph
     * @throws TensorException
     *             on a device without values, since the shape depends on them
     */
    public Tensor argwhere() {
        return map(NonZero::of);
    }

    /**
     * Where it is true, as {@link #nonzeroTuple}. As {@code torch.where}.
     *
     * @param condition
     *            of any dtype; what is not zero is true
     * @return one int64 vector for each dimension
     * @throws TensorException
     *             on a device without values, since the shape depends on them
     */
    public static Tensor[] where(Tensor condition) {
        return condition.nonzeroTuple();
    }
}
