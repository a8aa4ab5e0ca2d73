package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.index.Lookup;
import io.vramlab.tensor.internal.ops.reduce.Extremes;
import io.vramlab.tensor.internal.ops.reduce.ReducedDims;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.statistics.Statistics;
import io.vramlab.tensor.type.AutogradException;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s largest and smallest elements, of all or along dimensions, and where they are. NaN counts as the
 * extreme. Ties share the gradient in {@link #max()} and {@link #amax}; in the forms that give indices, one gets it
 * all.
 */
abstract sealed class ExtremeMethods extends ReductionMethods permits SortingMethods {

    /**
     * Largest element. As {@code torch.max}.
     *
     * @return a new scalar, after a contiguous copy if this is not contiguous; backward keeps this tensor and the
     *         result
     * @throws TensorException
     *             without elements
     */
    public Tensor max() {
        return map(a -> Extremes.extreme(a, true, Reductions.ALL, false));
    }

    /**
     * Smallest element. As {@code torch.min}.
     *
     * @return a new scalar, after a contiguous copy if this is not contiguous; backward keeps this tensor and the
     *         result
     * @throws TensorException
     *             without elements
     */
    public Tensor min() {
        return map(a -> Extremes.extreme(a, false, Reductions.ALL, false));
    }

    /**
     * Largest along a dimension: values and indices. As {@code torch.max}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return two new tensors: values, and their int64 indices along the dimension, which backward keeps
     * @throws TensorException
     *             of a scalar, or if there is no such dimension
     */
    public Tensor[] max(int dim) {
        return max(dim, false);
    }

    /**
     * Largest along a dimension: values and indices. As {@code torch.max}.
     *
     * @param dim
     *            which one, from the back when negative
     * @param keepDim
     *            whether the dimension stays with size 1; false by default
     * @return two new tensors: values, and their int64 indices along the dimension, which backward keeps
     * @throws TensorException
     *             of a scalar, or if there is no such dimension
     */
    public Tensor[] max(int dim, boolean keepDim) {
        return several(x -> Lookup.extreme(x[0], true, dim, keepDim));
    }

    /**
     * Smallest along a dimension: values and indices. As {@code torch.min}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return two new tensors: values, and their int64 indices along the dimension, which backward keeps
     * @throws TensorException
     *             of a scalar, or if there is no such dimension
     */
    public Tensor[] min(int dim) {
        return min(dim, false);
    }

    /**
     * Smallest along a dimension: values and indices. As {@code torch.min}.
     *
     * @param dim
     *            which one, from the back when negative
     * @param keepDim
     *            whether the dimension stays with size 1; false by default
     * @return two new tensors: values, and their int64 indices along the dimension, which backward keeps
     * @throws TensorException
     *             of a scalar, or if there is no such dimension
     */
    public Tensor[] min(int dim, boolean keepDim) {
        return several(x -> Lookup.extreme(x[0], false, dim, keepDim));
    }

    /**
     * Largest along dimensions. As {@code torch.amax}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @return a new tensor of this dtype; backward keeps this tensor and the result
     * @throws TensorException
     *             without elements; if there is no such dimension, or one is named twice
     */
    public Tensor amax(int... dims) {
        return map(a -> Extremes.extreme(a, true, ReducedDims.named(a, dims), false));
    }

    /**
     * Largest along dimensions. As {@code torch.amax}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @param keepDim
     *            whether the dimension stays with size 1; false by default
     * @return a new tensor of this dtype; backward keeps this tensor and the result
     * @throws TensorException
     *             without elements; if there is no such dimension, or one is named twice
     */
    public Tensor amax(int[] dims, boolean keepDim) {
        return map(a -> Extremes.extreme(a, true, dims, keepDim));
    }

    /**
     * Smallest along dimensions. As {@code torch.amin}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @return a new tensor of this dtype; backward keeps this tensor and the result
     * @throws TensorException
     *             without elements; if there is no such dimension, or one is named twice
     */
    public Tensor amin(int... dims) {
        return map(a -> Extremes.extreme(a, false, ReducedDims.named(a, dims), false));
    }

    /**
     * Smallest along dimensions. As {@code torch.amin}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @param keepDim
     *            whether the dimension stays with size 1; false by default
     * @return a new tensor of this dtype; backward keeps this tensor and the result
     * @throws TensorException
     *             without elements; if there is no such dimension, or one is named twice
     */
    public Tensor amin(int[] dims, boolean keepDim) {
        return map(a -> Extremes.extreme(a, false, dims, keepDim));
    }

    /**
     * Smallest and largest of all; no gradient, as in PyTorch. As {@code torch.aminmax}.
     *
     * @return two new scalars, made in one pass
     * @throws AutogradException
     *             if it is part of the graph: PyTorch has no derivative for it
     */
    public Tensor[] aminmax() {
        return several(x -> Statistics.aminmax(x[0]));
    }

    /**
     * Index of the largest of all elements, as int64. As {@code torch.argmax}.
     *
     * @return a new int64 scalar, the row-major position; outside the graph
     */
    public Tensor argmax() {
        return map(a -> Extremes.argExtreme(a, true, Reductions.ALL, false));
    }

    /**
     * Index of the largest along a dimension, as int64. As {@code torch.argmax}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return a new int64 tensor, outside the graph
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor argmax(int dim) {
        return map(a -> Extremes.argExtreme(a, true, new int[]{dim}, false));
    }

    /**
     * Index of the largest along a dimension, as int64. As {@code torch.argmax}.
     *
     * @param dim
     *            which one, from the back when negative
     * @param keepDim
     *            whether the dimension stays with size 1; false by default
     * @return a new int64 tensor, outside the graph
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor argmax(int dim, boolean keepDim) {
        return map(a -> Extremes.argExtreme(a, true, new int[]{dim}, keepDim));
    }

    /**
     * Index of the smallest of all elements, as int64. As {@code torch.argmin}.
     *
     * @return a new int64 scalar, the row-major position; outside the graph
     */
    public Tensor argmin() {
        return map(a -> Extremes.argExtreme(a, false, Reductions.ALL, false));
    }

    /**
     * Index of the smallest along a dimension, as int64. As {@code torch.argmin}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return a new int64 tensor, outside the graph
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor argmin(int dim) {
        return map(a -> Extremes.argExtreme(a, false, new int[]{dim}, false));
    }

    /**
     * Index of the smallest along a dimension, as int64. As {@code torch.argmin}.
     *
     * @param dim
     *            which one, from the back when negative
     * @param keepDim
     *            whether the dimension stays with size 1; false by default
     * @return a new int64 tensor, outside the graph
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor argmin(int dim, boolean keepDim) {
        return map(a -> Extremes.argExtreme(a, false, new int[]{dim}, keepDim));
    }
}
