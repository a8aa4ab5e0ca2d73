package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.view.MoreViews;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s shape seen in another way. All but {@code reshape} and {@code flatten} are views: they take no
 * memory, hold this tensor's, and a change of one is a change of the other; the gradient takes the way back.
 */
abstract sealed class ViewMethods extends ProductMethods permits PartMethods {

    /**
     * Transpose of a matrix; a vector stays what it is. As {@code torch.t}.
     *
     * @return a view
     * @throws TensorException
     *             of more than two dimensions
     */
    public Tensor t() {
        return map(Views::t);
    }

    /**
     * Two dimensions swapped. As {@code torch.transpose}.
     *
     * @param dim0
     *            one, from the back when negative
     * @param dim1
     *            the other, from the back when negative
     * @return a view
     * @throws TensorException
     *             if there are no such dimensions
     */
    public Tensor transpose(int dim0, int dim1) {
        return map(a -> Views.transpose(a, dim0, dim1));
    }

    /**
     * Two dimensions swapped. As {@code torch.swapaxes}.
     *
     * @param dim0
     *            one, from the back when negative
     * @param dim1
     *            the other, from the back when negative
     * @return a view
     * @throws TensorException
     *             if there are no such dimensions
     */
    public Tensor swapaxes(int dim0, int dim1) {
        return map(a -> Views.transpose(a, dim0, dim1));
    }

    /**
     * Two dimensions swapped. As {@code torch.swapdims}.
     *
     * @param dim0
     *            one, from the back when negative
     * @param dim1
     *            the other, from the back when negative
     * @return a view
     * @throws TensorException
     *             if there are no such dimensions
     */
    public Tensor swapdims(int dim0, int dim1) {
        return map(a -> Views.transpose(a, dim0, dim1));
    }

    /**
     * The last two dimensions swapped. As {@code torch.Tensor.mT}.
     *
     * @return a view
     * @throws TensorException
     *             of less than two dimensions
     */
    public Tensor mT() {
        return map(a -> Views.transpose(a, -2, -1));
    }

    /**
     * Dimensions in another order. As {@code torch.permute}.
     *
     * @param dims
     *            for each dimension of the result, which one of this it is
     * @return a view
     * @throws TensorException
     *             unless each dimension is named once
     */
    public Tensor permute(int... dims) {
        return map(a -> Views.permute(a, dims));
    }

    /**
     * A dimension in another place. As {@code torch.movedim}.
     *
     * @param from
     *            where it is, from the back when negative
     * @param to
     *            where it comes, from the back when negative
     * @return a view
     * @throws TensorException
     *             if there are no such dimensions
     */
    public Tensor movedim(int from, int to) {
        return map(a -> MoreViews.movedim(a, new int[]{from}, new int[]{to}));
    }

    /**
     * Dimensions in other places. As {@code torch.movedim}.
     *
     * @param from
     *            where they are, each once
     * @param to
     *            where they come, each once, equally many
     * @return a view
     * @throws TensorException
     *             if dimensions are missing or named twice
     */
    public Tensor movedim(int[] from, int[] to) {
        return map(a -> MoreViews.movedim(a, from, to));
    }

    /**
     * The same elements in another shape, never copied; one size may be -1. As {@code torch.Tensor.view}.
     *
     * @param shape
     *            sizes of as many elements; one may be -1 and follows from the others
     * @return a view
     * @throws TensorException
     *             if the numbers of elements differ, or no strides give that shape: use {@link #reshape}
     */
    public Tensor view(long... shape) {
        return map(a -> Views.view(a, shape));
    }

    /**
     * The same elements in the other's shape, never copied. As {@code torch.Tensor.view_as}.
     *
     * @param other
     *            whose shape it gets, of as many elements
     * @return a view
     * @throws TensorException
     *             if the numbers of elements differ, or no strides give that shape
     */
    public Tensor viewAs(Tensor other) {
        return with(other, (a, b) -> Views.view(a, b.shape()));
    }

    /**
     * The same elements in another shape, copied only if no view exists; one size may be -1. As {@code torch.reshape}.
     *
     * @param shape
     *            sizes of as many elements; one may be -1 and follows from the others
     * @return a view where strides allow, else a view of a contiguous copy
     * @throws TensorException
     *             if the numbers of elements differ
     */
    public Tensor reshape(long... shape) {
        return map(a -> Views.reshape(a, shape));
    }

    /**
     * The same elements in the other's shape. As {@code torch.Tensor.reshape_as}.
     *
     * @param other
     *            whose shape it gets, of as many elements
     * @return a view where strides allow, else a view of a contiguous copy
     * @throws TensorException
     *             if the numbers of elements differ
     */
    public Tensor reshapeAs(Tensor other) {
        return with(other, (a, b) -> Views.reshape(a, b.shape()));
    }

    /**
     * All dimensions in one. As {@code torch.flatten}.
     *
     * @return a view where strides allow, else a view of a contiguous copy; a vector as it is
     */
    public Tensor flatten() {
        return flatten(0, -1);
    }

    /**
     * The dimensions from one on in one. As {@code torch.flatten}.
     *
     * @param start
     *            the first that is joined, from the back when negative
     * @return a view where strides allow, else a view of a contiguous copy
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor flatten(int start) {
        return map(a -> Views.flatten(a, start, -1));
    }

    /**
     * A range of dimensions in one. As {@code torch.flatten}.
     *
     * @param start
     *            the first that is joined, from the back when negative
     * @param end
     *            the last that is joined, from the back when negative
     * @return a view where strides allow, else a view of a contiguous copy
     * @throws TensorException
     *             if there are no such dimensions, or the end comes before the start
     */
    public Tensor flatten(int start, int end) {
        return map(a -> Views.flatten(a, start, end));
    }

    /**
     * All dimensions in one. As {@code torch.ravel}.
     *
     * @return a view where strides allow, else a view of a contiguous copy; a vector as it is
     */
    public Tensor ravel() {
        return map(a -> Views.flatten(a, 0, -1));
    }

    /**
     * One dimension as several; one size may be -1. As {@code torch.unflatten}.
     *
     * @param dim
     *            which one, from the back when negative
     * @param sizes
     *            whose product is the dimension's; one may be -1
     * @return a view
     * @throws TensorException
     *             if the product differs
     */
    public Tensor unflatten(int dim, long... sizes) {
        return map(a -> MoreViews.unflatten(a, dim, sizes));
    }

    /**
     * Seen in a larger shape; -1 keeps a size. As {@code torch.Tensor.expand}.
     *
     * @param shape
     *            sizes, where a size of 1 may grow and further ones stand in front; -1 keeps one
     * @return a view, whose repeated elements are the same memory
     * @throws TensorException
     *             if a size other than 1 would change
     */
    public Tensor expand(long... shape) {
        return map(a -> Views.expand(a, shape));
    }

    /**
     * Seen in the other's shape. As {@code torch.Tensor.expand_as}.
     *
     * @param other
     *            whose shape it gets
     * @return a view, whose repeated elements are the same memory
     * @throws TensorException
     *             if a size other than 1 would change
     */
    public Tensor expandAs(Tensor other) {
        return with(other, (a, b) -> Views.expand(a, b.shape()));
    }

    /**
     * Seen in a larger shape. As {@code torch.broadcast_to}.
     *
     * @param shape
     *            sizes, where a size of 1 may grow and further ones stand in front
     * @return a view, whose repeated elements are the same memory
     * @throws TensorException
     *             if a size other than 1 would change
     */
    public Tensor broadcastTo(long... shape) {
        return map(a -> Views.expand(a, shape));
    }

    /**
     * With a new dimension of size 1. As {@code torch.unsqueeze}.
     *
     * @param dim
     *            where it comes, from 0 to the number of dimensions; from the back when negative
     * @return a view
     * @throws TensorException
     *             if there is no such place
     */
    public Tensor unsqueeze(int dim) {
        return map(a -> Views.unsqueeze(a, dim));
    }

    /**
     * Without dimensions of size 1. As {@code torch.squeeze}.
     *
     * @return a view
     */
    public Tensor squeeze() {
        return map(Views::squeeze);
    }

    /**
     * Without a dimension, if its size is 1. As {@code torch.squeeze}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return a view
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor squeeze(int dim) {
        return map(a -> Views.squeeze(a, dim));
    }

    /**
     * Gives this tensor a new dimension of size 1. As {@code torch.Tensor.unsqueeze_}.
     *
     * @param dim
     *            where it comes, from 0 to the number of dimensions; from the back when negative
     * @return this tensor, of another shape
     * @throws TensorException
     *             if there is no such place
     */
    public Tensor unsqueeze_(int dim) {
        return change(a -> MoreViews.become(a, "UnsqueezeBackward1", x -> Views.unsqueeze(x, dim),
                g -> Views.squeeze(g, dim)));
    }

    /**
     * Takes a dimension from this tensor, if its size is 1. As {@code torch.Tensor.squeeze_}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return this tensor, of another shape
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor squeeze_(int dim) {
        return change(a -> {
            boolean goes = a.rank() > 0 && a.size(dim) == 1;
            MoreViews.become(a, "SqueezeBackward4", x -> Views.squeeze(x, dim),
                    g -> goes ? Views.unsqueeze(g, dim) : g.retain());
        });
    }

    /**
     * Swaps two dimensions of this tensor. As {@code torch.Tensor.transpose_}.
     *
     * @param first
     *            from the back when negative
     * @param second
     *            from the back when negative
     * @return this tensor, of another shape
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor transpose_(int first, int second) {
        return change(a -> MoreViews.become(a, "TransposeBackward1", x -> Views.transpose(x, first, second),
                g -> Views.transpose(g, first, second)));
    }

    /**
     * With at least one dimension. As {@code torch.atleast_1d}.
     *
     * @return a view, or another handle on this tensor
     */
    public Tensor atleast1d() {
        return map(a -> MoreViews.atLeast(a, 1));
    }

    /**
     * With at least two dimensions. As {@code torch.atleast_2d}.
     *
     * @return a view, or another handle on this tensor
     */
    public Tensor atleast2d() {
        return map(a -> MoreViews.atLeast(a, 2));
    }

    /**
     * With at least three dimensions. As {@code torch.atleast_3d}.
     *
     * @return a view, or another handle on this tensor
     */
    public Tensor atleast3d() {
        return map(a -> MoreViews.atLeast(a, 3));
    }
}
