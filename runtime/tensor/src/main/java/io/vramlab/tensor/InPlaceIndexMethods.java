package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.index.IndexPut;
import io.vramlab.tensor.internal.ops.index.Indexing;
import io.vramlab.tensor.internal.ops.index.MaskedElements;
import io.vramlab.tensor.internal.ops.index.Positions;
import io.vramlab.tensor.internal.ops.index.Scatters;
import io.vramlab.tensor.internal.ops.index.Slices;
import io.vramlab.tensor.internal.values.Elements;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s writes to places that an index names, in this tensor's memory; each returns this tensor. Indices are
 * int64 and stay for backward. Where places repeat, sums are right, and of plain writes one wins, as in PyTorch.
 */
abstract sealed class InPlaceIndexMethods extends FillingMethods permits ReductionMethods {

    /**
     * {@code this[… index[…] …] = source[…]} along a dimension; index is int64. As {@code torch.Tensor.scatter_}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 of this rank, no larger than this tensor but along {@code dim}, nor than the source
     * @param source
     *            of this dtype
     * @return this tensor, changed
     * @throws TensorException
     *             if dtypes or shapes do not fit so
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor scatter_(int dim, Tensor index, Tensor source) {
        return change(a -> Scatters.scatter_(a, dim, index.impl(), source.impl()));
    }

    /**
     * {@code this[… index[…] …] = value} along a dimension; index is int64. As {@code torch.Tensor.scatter_}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 of this rank, no larger than this tensor but along {@code dim}
     * @param value
     *            converted to this dtype
     * @return this tensor, changed
     * @throws TensorException
     *             if dtype or shape of the index does not fit so
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor scatter_(int dim, Tensor index, double value) {
        return changeBy(index, (a, i) -> Scatters.scatter_(a, dim, i, value));
    }

    /**
     * {@code this[… index[…] …] += source[…]} along a dimension; index is int64. As {@code torch.Tensor.scatter_add_}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 of this rank, no larger than this tensor but along {@code dim}, nor than the source
     * @param source
     *            of this dtype
     * @return this tensor, changed
     * @throws TensorException
     *             if dtypes or shapes do not fit so
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor scatterAdd_(int dim, Tensor index, Tensor source) {
        return change(a -> Scatters.scatterAdd_(a, dim, index.impl(), source.impl()));
    }

    /**
     * Adds slices of source to those of this that the int64 vector index names. As {@code torch.Tensor.index_add_}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 [many], one of the dimension's for each slice of the source
     * @param source
     *            of this shape, but many along {@code dim}
     * @return this tensor, changed
     * @throws TensorException
     *             if the index is no int64 vector, or the source does not fit
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor indexAdd_(int dim, Tensor index, Tensor source) {
        return indexAdd_(dim, index, source, 1);
    }

    /**
     * Adds alpha times slices of source to those of this that index names. As {@code torch.Tensor.index_add_}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 [many], one of the dimension's for each slice of the source
     * @param source
     *            of this shape, but many along {@code dim}
     * @param alpha
     *            factor of the source; 1 by default
     * @return this tensor, changed
     * @throws TensorException
     *             if the index is no int64 vector, or the source does not fit
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor indexAdd_(int dim, Tensor index, Tensor source, double alpha) {
        return change(a -> Slices.indexAdd_(a, dim, index.impl(), source.impl(), alpha));
    }

    /**
     * Puts slices of source in the place of those that index names. As {@code torch.Tensor.index_copy_}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 [many], one of the dimension's for each slice of the source
     * @param source
     *            of this shape, but many along {@code dim}
     * @return this tensor, changed
     * @throws TensorException
     *             if the index is no int64 vector, or the source does not fit
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor indexCopy_(int dim, Tensor index, Tensor source) {
        return change(a -> Slices.indexCopy_(a, dim, index.impl(), source.impl()));
    }

    /**
     * Fills the slices that index names. As {@code torch.Tensor.index_fill_}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 [many], the slices
     * @param value
     *            converted to this dtype
     * @return this tensor, changed
     * @throws TensorException
     *             if the index is no int64 vector
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor indexFill_(int dim, Tensor index, double value) {
        return changeBy(index, (a, i) -> Slices.indexFill_(a, dim, i, value));
    }

    /**
     * Puts elements at row-major positions. As {@code torch.Tensor.put_}.
     *
     * @param index
     *            int64 positions as if this were flat, from the back when negative
     * @param source
     *            as many elements, of this dtype
     * @return this tensor, changed; backward keeps index and source
     * @throws TensorException
     *             if dtypes or numbers of elements do not fit
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor put_(Tensor index, Tensor source) {
        return put_(index, source, false);
    }

    /**
     * Puts elements at row-major positions, or adds them there. As {@code torch.Tensor.put_}.
     *
     * @param index
     *            int64 positions as if this were flat, from the back when negative
     * @param source
     *            as many elements, of this dtype
     * @param accumulate
     *            true to add; false by default
     * @return this tensor, changed; backward keeps index and source
     * @throws TensorException
     *             if dtypes or numbers of elements do not fit
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor put_(Tensor index, Tensor source, boolean accumulate) {
        return change(a -> Positions.put_(a, index.impl(), source.impl(), accumulate));
    }

    /**
     * Elements of source, one after another, where mask is true. As {@code torch.Tensor.masked_scatter_}.
     *
     * @param mask
     *            bool, broadcast to this shape
     * @param source
     *            of this dtype, at least as many elements as the mask has true ones
     * @return this tensor, changed; a scan of the mask takes memory for the while
     * @throws TensorException
     *             if the mask is not bool or the source too small
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor maskedScatter_(Tensor mask, Tensor source) {
        return change(a -> MaskedElements.scatter_(a, mask.impl(), source.impl()));
    }

    /**
     * Python's {@code this[items] = value}; see {@link Tensor#index} for the items. As
     * {@code torch.Tensor.__setitem__}.
     *
     * @param value
     *            a number, which lies on the device for the while where a tensor is among the items
     * @param items
     *            one for each dimension, the rest being whole
     * @return this tensor, changed
     * @throws TensorException
     *             for items that do not fit
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor set(double value, Object... items) {
        return change(a -> Indexing.set(a, value, Calls.items(items)));
    }

    /**
     * Python's {@code this[items] = True}; see {@link Tensor#index} for the items. As {@code torch.Tensor.__setitem__}.
     *
     * @param value
     *            a truth value, which lies on the device for the while where a tensor is among the items
     * @param items
     *            one for each dimension, the rest being whole
     * @return this tensor, changed
     * @throws TensorException
     *             for items that do not fit
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor set(boolean value, Object... items) {
        return set(value ? 1. : 0., items);
    }

    /**
     * Python's {@code this[items] = value}, the value broadcast; see {@link Tensor#index} for the items. As
     * {@code torch.Tensor.__setitem__}.
     *
     * @param value
     *            broadcast to what the items name
     * @param items
     *            one for each dimension, the rest being whole
     * @return this tensor, changed
     * @throws TensorException
     *             for items that do not fit, or a value that does not broadcast
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor set(Tensor value, Object... items) {
        return changeBy(value, (a, v) -> Indexing.set(a, v, Calls.items(items)));
    }

    /**
     * {@code this[indices] = values}; one index for each dimension, null for all of it. As
     * {@code torch.Tensor.index_put_}.
     *
     * @param indices
     *            int64 or bool, broadcast to each other; null for a whole dimension
     * @param values
     *            of this dtype, broadcast to what the indices name
     * @return this tensor, changed
     * @throws TensorException
     *             if the dtypes differ, or shapes or indices do not fit
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor indexPut_(Tensor[] indices, Tensor values) {
        return indexPut_(indices, values, false);
    }

    /**
     * {@code this[indices] = values}, or += where places may repeat. As {@code torch.Tensor.index_put_}.
     *
     * @param indices
     *            int64 or bool, broadcast to each other; null for a whole dimension
     * @param values
     *            of this dtype, broadcast to what the indices name
     * @param accumulate
     *            true to add, for which PyTorch sorts the indices, in memory of their own; false by default
     * @return this tensor, changed
     * @throws TensorException
     *             if the dtypes differ, or shapes or indices do not fit
     * @throws AutogradException
     *             for a leaf that requires gradients, or a view of one, while gradients are recorded
     */
    public Tensor indexPut_(Tensor[] indices, Tensor values, boolean accumulate) {
        return change(a -> IndexPut.put(a, Calls.impls(indices), values.impl(), accumulate));
    }
}
