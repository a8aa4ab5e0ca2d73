package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.matrix.Diagonals;
import io.vramlab.tensor.internal.ops.view.Joins;
import io.vramlab.tensor.internal.ops.view.MoreViews;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s parts: views all, which take no memory but hold this tensor's. The gradient of a part is, for the
 * whole, a new tensor of zeros with that part filled.
 */
abstract sealed class PartMethods extends ViewMethods permits ArrangingMethods {

    /**
     * The index-th of a dimension: x[index]. As {@code torch.select}.
     *
     * @param dim
     *            which one, from the back when negative; the first by default
     * @param index
     *            from the back when negative
     * @return a view without the dimension
     * @throws TensorException
     *             if there is no such dimension, or the index is out of bounds
     */
    public Tensor select(int dim, long index) {
        return map(a -> Views.select(a, dim, index));
    }

    /**
     * x[start:end] along a dimension. As {@code torch.Tensor.__getitem__}.
     *
     * @param dim
     *            which one, from the back when negative; the first by default
     * @param start
     *            the first one; from the back when negative, and cut to what there is
     * @param end
     *            the first one that is not taken; from the back when negative, and cut to what there is
     * @return a view
     * @throws TensorException
     *             if there is no such dimension, or the step is not positive
     */
    public Tensor slice(int dim, long start, long end) {
        return map(a -> Views.slice(a, dim, start, end, 1));
    }

    /**
     * x[start:end:step] along a dimension. As {@code torch.Tensor.__getitem__}.
     *
     * @param dim
     *            which one, from the back when negative; the first by default
     * @param start
     *            the first one; from the back when negative, and cut to what there is
     * @param end
     *            the first one that is not taken; from the back when negative, and cut to what there is
     * @param step
     *            from each to the next, at least 1; 1 by default
     * @return a view
     * @throws TensorException
     *             if there is no such dimension, or the step is not positive
     */
    public Tensor slice(int dim, long start, long end, long step) {
        return map(a -> Views.slice(a, dim, start, end, step));
    }

    /**
     * length elements from start along a dimension. As {@code torch.narrow}.
     *
     * @param dim
     *            which one, from the back when negative; the first by default
     * @param start
     *            the first one, from the back when negative
     * @param length
     *            how many
     * @return a view
     * @throws TensorException
     *             if there is no such dimension, or the range does not lie within it
     */
    public Tensor narrow(int dim, long start, long length) {
        return map(a -> Views.narrow(a, dim, start, length));
    }

    /**
     * The diagonal of the first two dimensions: a view. As {@code torch.diagonal}.
     *
     * @return a view
     * @throws TensorException
     *             of less than two dimensions
     */
    public Tensor diagonal() {
        return diagonal(0, 0, 1);
    }

    /**
     * The diagonal of two dimensions, as the last one: a view. As {@code torch.diagonal}.
     *
     * @param offset
     *            0 for the main one, more for those above, less for those below
     * @param dim1
     *            counts rows, from the back when negative
     * @param dim2
     *            counts columns, from the back when negative
     * @return a view with the diagonal as last dimension
     * @throws TensorException
     *             if the two dimensions are one, or are not there
     */
    public Tensor diagonal(long offset, int dim1, int dim2) {
        return map(a -> Diagonals.diagonal(a, offset, dim1, dim2));
    }

    /**
     * Windows along a dimension, as a last dimension. As {@code torch.Tensor.unfold}.
     *
     * @param dim
     *            which one, from the back when negative; the first by default
     * @param size
     *            of each window
     * @param step
     *            from each window to the next; windows overlap where it is less than the size
     * @return a view with as many along the dimension as there are windows, and the window last
     * @throws TensorException
     *             if a window is larger than the dimension, or the step is not positive
     */
    public Tensor unfold(int dim, long size, long step) {
        return map(a -> MoreViews.unfold(a, dim, size, step));
    }

    /**
     * Any sizes and strides over the same memory, from this tensor's first element. As {@code torch.as_strided}.
     *
     * @param shape
     *            sizes
     * @param strides
     *            equally many, in elements
     * @return a view
     * @throws TensorException
     *             if that leaves the storage
     */
    public Tensor asStrided(long[] shape, long[] strides) {
        return map(a -> MoreViews.asStrided(a, shape, strides, a.offset()));
    }

    /**
     * Any sizes and strides over the same memory, from that element of the storage. As {@code torch.as_strided}.
     *
     * @param shape
     *            sizes
     * @param strides
     *            equally many, in elements
     * @param offset
     *            first element, counted from the storage's; this tensor's by default
     * @return a view
     * @throws TensorException
     *             if that leaves the storage
     */
    public Tensor asStrided(long[] shape, long[] strides, long offset) {
        return map(a -> MoreViews.asStrided(a, shape, strides, offset));
    }

    /**
     * Parts of at most that size along the first dimension: views. As {@code torch.split}.
     *
     * @param size
     *            of each part but the last, which may be smaller
     * @return the parts, views
     * @throws TensorException
     *             if the size is not positive
     */
    public Tensor[] split(long size) {
        return split(size, 0);
    }

    /**
     * Parts of at most that size along a dimension: views. As {@code torch.split}.
     *
     * @param size
     *            of each part but the last, which may be smaller
     * @param dim
     *            which one, from the back when negative; the first by default
     * @return the parts, views
     * @throws TensorException
     *             if the size is not positive, or there is no such dimension
     */
    public Tensor[] split(long size, int dim) {
        return several(x -> Joins.split(x[0], size, dim));
    }

    /**
     * Parts of those sizes along a dimension: views. As {@code torch.split}.
     *
     * @param sizes
     *            whose sum is the dimension's
     * @param dim
     *            which one, from the back when negative; the first by default
     * @return the parts, views
     * @throws TensorException
     *             if the sum differs, or a size is negative
     */
    public Tensor[] split(long[] sizes, int dim) {
        return several(x -> Joins.split(x[0], sizes, dim));
    }

    /**
     * So many parts along the first dimension: views. As {@code torch.chunk}.
     *
     * @param chunks
     *            at most how many
     * @return the parts, views
     * @throws TensorException
     *             unless the number is positive
     */
    public Tensor[] chunk(int chunks) {
        return chunk(chunks, 0);
    }

    /**
     * So many parts along a dimension: views. As {@code torch.chunk}.
     *
     * @param chunks
     *            at most how many
     * @param dim
     *            which one, from the back when negative; the first by default
     * @return the parts, views
     * @throws TensorException
     *             unless the number is positive
     */
    public Tensor[] chunk(int chunks, int dim) {
        return several(x -> Joins.chunk(x[0], chunks, dim));
    }

    /**
     * So many parts along the first dimension, the first ones larger by one where need be. As
     * {@code torch.tensor_split}.
     *
     * @param parts
     *            how many
     * @return the parts, each a view of its own
     * @throws TensorException
     *             unless the number is positive
     */
    public Tensor[] tensorSplit(int parts) {
        return tensorSplit(parts, 0);
    }

    /**
     * So many parts along a dimension, the first ones larger by one where need be. As {@code torch.tensor_split}.
     *
     * @param parts
     *            how many
     * @param dim
     *            which one, from the back when negative; the first by default
     * @return the parts, each a view of its own
     * @throws TensorException
     *             unless the number is positive
     */
    public Tensor[] tensorSplit(int parts, int dim) {
        return several(x -> MoreViews.tensorSplit(x[0], parts, dim));
    }

    /**
     * One view for each index of the first dimension. As {@code torch.unbind}.
     *
     * @return as many views as the dimension's size, without it
     */
    public Tensor[] unbind() {
        return unbind(0);
    }

    /**
     * One view for each index of a dimension. As {@code torch.unbind}.
     *
     * @param dim
     *            which one, from the back when negative; the first by default
     * @return as many views as the dimension's size, without it
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor[] unbind(int dim) {
        return several(x -> Joins.unbind(x[0], dim));
    }
}
