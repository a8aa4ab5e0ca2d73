package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.index.Lookup;
import io.vramlab.tensor.internal.ops.index.Sorts;
import io.vramlab.tensor.internal.ops.statistics.SortedPlaces;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s order: sorted elements, the k-th of them, the middle ones, which there are. NaN is the largest.
 * Methods that give several tensors give values first, then their int64 indices along the dimension, which backward
 * keeps; besides them PyTorch's sorts take scratch (docs/footprint.md, "Sorting and scanning").
 */
abstract sealed class SortingMethods extends ExtremeMethods permits StatisticsMethods {

    /**
     * The last dimension in ascending order: values and indices. As {@code torch.sort}.
     *
     * @return values and indices, two new tensors of this shape; equal elements stay in their order
     */
    public Tensor[] sort() {
        return sort(-1, false);
    }

    /**
     * A dimension in ascending order: values and indices. As {@code torch.sort}.
     *
     * @param dim
     *            which one, from the back when negative; the last by default
     * @return values and indices, two new tensors of this shape; equal elements stay in their order
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor[] sort(int dim) {
        return sort(dim, false);
    }

    /**
     * A dimension in order, equal elements in theirs, NaN the largest: values and indices. As {@code torch.sort}.
     *
     * @param dim
     *            which one, from the back when negative; the last by default
     * @param descending
     *            whether the largest comes first; false by default
     * @return values and indices, two new tensors of this shape; equal elements stay in their order
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor[] sort(int dim, boolean descending) {
        return several(x -> Sorts.sort(x[0], dim, descending));
    }

    /**
     * Indices that sort the last dimension. As {@code torch.argsort}.
     *
     * @return a new int64 tensor of this shape, outside the graph; the sorted values are taken too and let go
     */
    public Tensor argsort() {
        return argsort(-1, false);
    }

    /**
     * Indices that sort a dimension. As {@code torch.argsort}.
     *
     * @param dim
     *            which one, from the back when negative; the last by default
     * @return a new int64 tensor of this shape, outside the graph; the sorted values are taken too and let go
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor argsort(int dim) {
        return argsort(dim, false);
    }

    /**
     * Indices that sort a dimension. As {@code torch.argsort}.
     *
     * @param dim
     *            which one, from the back when negative; the last by default
     * @param descending
     *            whether the largest comes first; false by default
     * @return a new int64 tensor of this shape, outside the graph; the sorted values are taken too and let go
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor argsort(int dim, boolean descending) {
        return map(a -> Sorts.argsort(a, dim, descending));
    }

    /**
     * The k largest of the last dimension, sorted: values and indices. As {@code torch.topk}.
     *
     * @param k
     *            how many, at most the size of the dimension
     * @return values and indices, two new tensors with k along the dimension
     * @throws TensorException
     *             if k is larger than the dimension
     */
    public Tensor[] topk(long k) {
        return topk(k, -1, true);
    }

    /**
     * The k largest along a dimension, sorted: values and indices. As {@code torch.topk}.
     *
     * @param k
     *            how many, at most the size of the dimension
     * @param dim
     *            which one, from the back when negative; the last by default
     * @return values and indices, two new tensors with k along the dimension
     * @throws TensorException
     *             if k is larger than the dimension, or there is no such dimension
     */
    public Tensor[] topk(long k, int dim) {
        return topk(k, dim, true);
    }

    /**
     * The k largest (or smallest) along a dimension, sorted: values and indices. As {@code torch.topk}.
     *
     * @param k
     *            how many, at most the size of the dimension
     * @param dim
     *            which one, from the back when negative; the last by default
     * @param largest
     *            false for the smallest; true by default
     * @return values and indices, two new tensors with k along the dimension
     * @throws TensorException
     *             if k is larger than the dimension, or there is no such dimension
     */
    public Tensor[] topk(long k, int dim, boolean largest) {
        return several(x -> Lookup.topk(x[0], k, dim, largest));
    }

    /**
     * The k-th smallest along a dimension, k from 1: values and indices. As {@code torch.kthvalue}.
     *
     * @param k
     *            from 1 to the size of the dimension
     * @param dim
     *            which one, from the back when negative; the last by default
     * @return values and indices, two new tensors without the dimension
     * @throws TensorException
     *             if k is out of that range, or there is no such dimension
     */
    public Tensor[] kthvalue(long k, int dim) {
        return several(x -> Sorts.kthvalue(x[0], k, dim, false));
    }

    /**
     * The middle of all elements, the lower of two. As {@code torch.median}.
     *
     * @return a new scalar; all are sorted for it in memory of the while; backward keeps this tensor and the result
     */
    public Tensor median() {
        return map(Sorts::median);
    }

    /**
     * The middle along a dimension, the lower of two: values and indices. As {@code torch.median}.
     *
     * @param dim
     *            which one, from the back when negative; the last by default
     * @return values and indices, two new tensors
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor[] median(int dim) {
        return median(dim, false);
    }

    /**
     * The middle along a dimension: values and indices. As {@code torch.median}.
     *
     * @param dim
     *            which one, from the back when negative; the last by default
     * @param keepDim
     *            whether the dimension stays with size 1; false by default
     * @return values and indices, two new tensors
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor[] median(int dim, boolean keepDim) {
        return several(x -> Sorts.median(x[0], dim, keepDim));
    }

    /**
     * The most frequent along a dimension: values and indices. As {@code torch.mode}.
     *
     * @param dim
     *            which one, from the back when negative; the last by default
     * @return values and indices of their last place, two new tensors without the dimension; of several the smallest
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor[] mode(int dim) {
        return several(x -> Sorts.mode(x[0], dim, false));
    }

    /**
     * The distinct elements, sorted. Their number is known once the device was waited for. As {@code torch.unique}.
     *
     * @return a new vector; the device is waited for, since the size depends on values
     * @throws TensorException
     *             on a device without values
     * @throws AutogradException
     *             if it is part of the graph: PyTorch has no derivative for it
     */
    public Tensor unique() {
        return map(a -> Sorts.unique(a, false, false)[0]);
    }

    /**
     * The elements without those that are as the one before them. Their number is known once the device was waited for. As
     * {@code torch.unique_consecutive}.
     *
     * @return a new tensor [how many]
     * @throws TensorException
     *             on a device without values
     */
    public Tensor uniqueConsecutive() {
        return map(a -> Sorts.uniqueConsecutive(a, false)[0]);
    }

    /**
     * The elements without those that are as the one before them, and how often each was there. As
     * {@code torch.unique_consecutive}.
     *
     * @param counts
     *            whether the second is wanted
     * @return the elements; then, if wanted, int64 numbers of that shape
     * @throws TensorException
     *             on a device without values
     */
    public Tensor[] uniqueConsecutive(boolean counts) {
        return several(x -> Sorts.uniqueConsecutive(x[0], counts));
    }

    /**
     * The distinct elements, sorted, where each element is among them, and how often each is. As {@code torch.unique}.
     *
     * @param inverse
     *            whether the second tensor is wanted: int64 of this shape, where each element is among the distinct
     *            ones
     * @param counts
     *            whether the third tensor is wanted: int64, how often each is
     * @return the distinct elements, and what was asked for, new tensors
     * @throws TensorException
     *             on a device without values
     * @throws AutogradException
     *             if it is part of the graph: PyTorch has no derivative for it
     */
    public Tensor[] unique(boolean inverse, boolean counts) {
        return several(x -> Sorts.unique(x[0], inverse, counts));
    }

    /**
     * The first place in something sorted at which each value could be put so that it stays sorted. As
     * {@code torch.searchsorted}.
     *
     * @param sorted
     *            rising along its last dimension: a vector, or with all dimensions of the values but the last
     * @param values
     *            what is looked for
     * @return a new int64 tensor of the values' shape, outside the graph; copies of what is not contiguous, or not of the joint dtype, are taken for the while
     * @throws TensorException
     *             for shapes that do not fit
     */
    public static Tensor searchsorted(Tensor sorted, Tensor values) {
        return searchsorted(sorted, values, false);
    }

    /**
     * The first or the last place in something sorted at which each value could be put. As {@code torch.searchsorted}.
     *
     * @param sorted
     *            rising along its last dimension: a vector, or with all dimensions of the values but the last
     * @param values
     *            what is looked for
     * @param right
     *            behind what is equal to it, and not before
     * @return a new int64 tensor of the values' shape, outside the graph; copies of what is not contiguous, or not of the joint dtype, are taken for the while
     * @throws TensorException
     *             for shapes that do not fit
     */
    public static Tensor searchsorted(Tensor sorted, Tensor values, boolean right) {
        return sorted.with(values, (a, b) -> SortedPlaces.of(a, b, right));
    }

    /**
     * Which part between rising bounds each element lies in: 0 up to the first. As {@code torch.bucketize}.
     *
     * @param boundaries
     *            a rising vector
     * @return a new int64 tensor of this shape, outside the graph
     * @throws TensorException
     *             for bounds that are no vector
     */
    public Tensor bucketize(Tensor boundaries) {
        return bucketize(boundaries, false);
    }

    /**
     * Which part between rising bounds each element lies in. As {@code torch.bucketize}.
     *
     * @param boundaries
     *            a rising vector
     * @param right
     *            whether a bound belongs to the part above it, and not to that below
     * @return a new int64 tensor of this shape, outside the graph
     * @throws TensorException
     *             for bounds that are no vector
     */
    public Tensor bucketize(Tensor boundaries, boolean right) {
        return with(boundaries, (a, b) -> SortedPlaces.parts(a, b, right));
    }
}
