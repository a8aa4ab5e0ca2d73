package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.index.IndexPut;
import io.vramlab.tensor.internal.ops.index.MaskedElements;
import io.vramlab.tensor.internal.ops.index.Positions;
import io.vramlab.tensor.internal.ops.index.ScatterReduce;
import io.vramlab.tensor.internal.ops.index.Scatters;
import io.vramlab.tensor.internal.ops.index.Slices;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s copies with elements replaced or added to at places that an index names; this tensor stays as it is.
 * The rules are those of the forms in place, {@link #scatter_(int, Tensor, Tensor)} and so on; each takes a tensor of
 * this size, and backward keeps the index.
 */
abstract sealed class ScatterMethods extends IndexMethods permits CreatingMethods {

    /**
     * A copy with elements at row-major positions replaced or added to. As {@code torch.put}.
     *
     * @param index
     *            int64 positions as if this were flat
     * @param source
     *            as many elements, of this dtype
     * @param accumulate
     *            true to add, false to replace
     * @return a new tensor of this shape; backward keeps the source too
     * @throws TensorException
     *             if dtypes or numbers of elements do not fit
     */
    public Tensor put(Tensor index, Tensor source, boolean accumulate) {
        return with(x -> Positions.put(x[0], x[1], x[2], accumulate), index, source);
    }

    /**
     * A copy with {@code [… index[…] …] = source[…]} along a dimension. As {@code torch.scatter}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 of this rank, no larger than this tensor but along {@code dim}, nor than the source
     * @param source
     *            of this dtype
     * @return a new tensor of this shape
     * @throws TensorException
     *             if dtypes or shapes do not fit so
     */
    public Tensor scatter(int dim, Tensor index, Tensor source) {
        return with(x -> Scatters.scatter(x[0], dim, x[1], x[2]), index, source);
    }

    /**
     * A copy with {@code [… index[…] …] = value} along a dimension. As {@code torch.scatter}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 of this rank, no larger than this tensor but along {@code dim}
     * @param value
     *            converted to this dtype
     * @return a new tensor of this shape
     * @throws TensorException
     *             if dtype or shape of the index does not fit so
     */
    public Tensor scatter(int dim, Tensor index, double value) {
        return with(index, (a, i) -> Scatters.scatter(a, dim, i, value));
    }

    /**
     * A copy with {@code [… index[…] …] += source[…]} along a dimension. As {@code torch.scatter_add}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 of this rank, no larger than this tensor but along {@code dim}, nor than the source
     * @param source
     *            of this dtype
     * @return a new tensor of this shape
     * @throws TensorException
     *             if dtypes or shapes do not fit so
     */
    public Tensor scatterAdd(int dim, Tensor index, Tensor source) {
        return with(x -> Scatters.scatterAdd(x[0], dim, x[1], x[2]), index, source);
    }

    /**
     * A copy with source's elements joined to those that index names, by "sum", "prod", "mean", "amax" or "amin". As
     * {@code torch.scatter_reduce}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 of this rank, no larger than the source
     * @param source
     *            of this dtype
     * @param reduce
     *            {@code "sum"}, {@code "prod"}, {@code "mean"}, {@code "amax"} or {@code "amin"}; what is there takes
     *            part
     * @return a new tensor of this shape; backward keeps this tensor, source, index and result
     * @throws TensorException
     *             for another word, or dtypes or shapes that do not fit
     */
    public Tensor scatterReduce(int dim, Tensor index, Tensor source, String reduce) {
        return with(x -> ScatterReduce.of(x[0], dim, x[1], x[2], reduce), index, source);
    }

    /**
     * A copy with slices of source added to those that index names. As {@code torch.index_add}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 [many], one of the dimension's for each slice of the source
     * @param source
     *            of this shape, but many along {@code dim}
     * @return a new tensor of this shape; backward keeps the source too if its gradient is wanted
     * @throws TensorException
     *             if the index is no int64 vector, or the source does not fit
     */
    public Tensor indexAdd(int dim, Tensor index, Tensor source) {
        return with(x -> Slices.indexAdd(x[0], dim, x[1], x[2], 1), index, source);
    }

    /**
     * A copy with alpha times slices of source added to those that index names. As {@code torch.index_add}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 [many], one of the dimension's for each slice of the source
     * @param source
     *            of this shape, but many along {@code dim}
     * @param alpha
     *            factor of the source; 1 by default
     * @return a new tensor of this shape; backward keeps the source too if its gradient is wanted
     * @throws TensorException
     *             if the index is no int64 vector, or the source does not fit
     */
    public Tensor indexAdd(int dim, Tensor index, Tensor source, double alpha) {
        return with(x -> Slices.indexAdd(x[0], dim, x[1], x[2], alpha), index, source);
    }

    /**
     * A copy with slices of source in the place of those that index names. As {@code torch.index_copy}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 [many], one of the dimension's for each slice of the source
     * @param source
     *            of this shape, but many along {@code dim}
     * @return a new tensor of this shape; backward keeps the source too if its gradient is wanted
     * @throws TensorException
     *             if the index is no int64 vector, or the source does not fit
     */
    public Tensor indexCopy(int dim, Tensor index, Tensor source) {
        return with(x -> Slices.indexCopy(x[0], dim, x[1], x[2]), index, source);
    }

    /**
     * A copy with the slices that index names filled. As {@code torch.index_fill}.
     *
     * @param dim
     *            which dimension the index counts; from the back when negative
     * @param index
     *            int64 [many], the slices
     * @param value
     *            converted to this dtype
     * @return a new tensor of this shape
     * @throws TensorException
     *             if the index is no int64 vector
     */
    public Tensor indexFill(int dim, Tensor index, double value) {
        return with(index, (a, i) -> Slices.indexFill(a, dim, i, value));
    }

    /**
     * A copy with {@code [indices] = values}. As {@code torch.index_put}.
     *
     * @param indices
     *            int64 or bool, broadcast to each other; null for a whole dimension
     * @param values
     *            of this dtype, broadcast to what the indices name
     * @return a new tensor of this shape
     * @throws TensorException
     *             if the dtypes differ, or shapes or indices do not fit
     */
    public Tensor indexPut(Tensor[] indices, Tensor values) {
        return indexPut(indices, values, false);
    }

    /**
     * A copy with {@code [indices] = values}, or += where places may repeat. As {@code torch.index_put}.
     *
     * @param indices
     *            int64 or bool, broadcast to each other; null for a whole dimension
     * @param values
     *            of this dtype, broadcast to what the indices name
     * @param accumulate
     *            true to add; false by default
     * @return a new tensor of this shape
     * @throws TensorException
     *             if the dtypes differ, or shapes or indices do not fit
     */
    public Tensor indexPut(Tensor[] indices, Tensor values, boolean accumulate) {
        return with(values, (a, v) -> IndexPut.putInto(a, Calls.impls(indices), v, accumulate));
    }

    /**
     * A copy with elements of source, one after another, where mask is true. As {@code torch.masked_scatter}.
     *
     * @param mask
     *            bool, broadcast
     * @param source
     *            of this dtype, at least as many elements as the mask has true ones
     * @return a new tensor; backward keeps the mask
     * @throws TensorException
     *             if the mask is not bool or the source too small
     */
    public Tensor maskedScatter(Tensor mask, Tensor source) {
        return with(x -> MaskedElements.scatter(x[0], x[1], x[2]), mask, source);
    }
}
