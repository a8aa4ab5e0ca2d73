package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.ops.reduce.Norms;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.sparse.SparseRows;
import io.vramlab.tensor.internal.ops.statistics.Statistics;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s sums, products, means, norms and truth over some or all dimensions. The result is a new tensor of
 * the sizes that are left; besides it, a reduction takes the scratch that PyTorch's takes (docs/footprint.md,
 * "Reductions").
 */
abstract sealed class ReductionMethods extends InPlaceIndexMethods permits ExtremeMethods {

    /**
     * Sum of all elements. As {@code torch.sum}.
     *
     * @return a new tensor, int64 of whole numbers (which are converted first); backward keeps nothing
     */
    public Tensor sum() {
        return map(a -> a.isSparse() ? SparseRows.sum(a) : Sums.sum(a, Reductions.ALL, false));
    }

    /**
     * Sum of all elements in another dtype. As {@code torch.sum}.
     *
     * @param dtype
     *            to which the elements are converted first
     * @return a new scalar of that dtype, after a converted copy; backward keeps nothing
     */
    public Tensor sum(DType dtype) {
        return map(a -> Statistics.sumAs(a, dtype));
    }

    /**
     * Sum over dimensions. As {@code torch.sum}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @return a new tensor, int64 of whole numbers (which are converted first); backward keeps nothing
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor sum(int... dims) {
        return map(a -> Sums.sum(a, dims, false));
    }

    /**
     * Sum over dimensions, kept as size 1 if asked. As {@code torch.sum}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @param keepDim
     *            whether what is reduced stays with size 1; false by default
     * @return a new tensor, int64 of whole numbers (which are converted first); backward keeps nothing
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor sum(int[] dims, boolean keepDim) {
        return map(a -> Sums.sum(a, dims, keepDim));
    }

    /**
     * As {@link #sum(int[], boolean)}, over one dimension.
     *
     * @param dim
     *            may be negative
     * @param keepDim
     *            whether the result keeps that dimension, with size 1
     * @return a new tensor
     */
    public Tensor sum(int dim, boolean keepDim) {
        return sum(new int[]{dim}, keepDim);
    }

    /**
     * Mean of all elements. As {@code torch.mean}.
     *
     * @return a new tensor of this dtype; backward keeps nothing
     * @throws TensorException
     *             of whole numbers
     */
    public Tensor mean() {
        return map(a -> Sums.mean(a, Reductions.ALL, false));
    }

    /**
     * Mean over dimensions. As {@code torch.mean}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @return a new tensor of this dtype; backward keeps nothing
     * @throws TensorException
     *             of whole numbers; if there is no such dimension, or one is named twice
     */
    public Tensor mean(int... dims) {
        return map(a -> Sums.mean(a, dims, false));
    }

    /**
     * Mean over dimensions, kept as size 1 if asked. As {@code torch.mean}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @param keepDim
     *            whether what is reduced stays with size 1; false by default
     * @return a new tensor of this dtype; backward keeps nothing
     * @throws TensorException
     *             of whole numbers; if there is no such dimension, or one is named twice
     */
    public Tensor mean(int[] dims, boolean keepDim) {
        return map(a -> Sums.mean(a, dims, keepDim));
    }

    /**
     * As {@link #mean(int[], boolean)}, over one dimension.
     *
     * @param dim
     *            may be negative
     * @param keepDim
     *            whether the result keeps that dimension, with size 1
     * @return a new tensor
     */
    public Tensor mean(int dim, boolean keepDim) {
        return mean(new int[]{dim}, keepDim);
    }

    /**
     * Product of all elements. As {@code torch.prod}.
     *
     * @return a new scalar, int64 of whole numbers; backward keeps this tensor and the result; under autocast in
     *         float32
     */
    public Tensor prod() {
        return map(a -> AutocastMode.full(x -> Statistics.prod(x[0], Reductions.ALL, false), a));
    }

    /**
     * Product along a dimension. As {@code torch.prod}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return a new tensor, int64 of whole numbers; backward keeps this tensor and the result; under autocast in
     *         float32
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor prod(int dim) {
        return prod(dim, false);
    }

    /**
     * Product along a dimension, kept as size 1 if asked. As {@code torch.prod}.
     *
     * @param dim
     *            which one, from the back when negative
     * @param keepDim
     *            whether what is reduced stays with size 1; false by default
     * @return a new tensor, int64 of whole numbers; backward keeps this tensor and the result; under autocast in
     *         float32
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor prod(int dim, boolean keepDim) {
        return map(a -> AutocastMode.full(x -> Statistics.prod(x[0], new int[]{dim}, keepDim), a));
    }

    /**
     * Sum of what is not NaN. As {@code torch.nansum}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @return a new tensor of this dtype; backward keeps this tensor
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor nansum(int... dims) {
        return map(a -> Statistics.nansum(a, dims, false));
    }

    /**
     * Mean of what is not NaN. As {@code torch.nanmean}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @return a new tensor of this dtype; backward keeps this tensor and the counts
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor nanmean(int... dims) {
        return map(a -> Statistics.nanmean(a, dims, false));
    }

    /**
     * Logarithm of the sum of exponentials over dimensions. As {@code torch.logsumexp}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @return a new tensor; the shifted exponentials are one of this size for the while; backward keeps this tensor and
     *         the result
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor logsumexp(int... dims) {
        return logsumexp(dims, false);
    }

    /**
     * Logarithm of the sum of exponentials over dimensions, kept as size 1 if asked. As {@code torch.logsumexp}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @param keepDim
     *            whether what is reduced stays with size 1; false by default
     * @return a new tensor; the shifted exponentials are one of this size for the while; backward keeps this tensor and
     *         the result
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor logsumexp(int[] dims, boolean keepDim) {
        return map(a -> AutocastMode.full(x -> Statistics.logsumexp(x[0], dims, keepDim), a));
    }

    /**
     * Logarithm of the sum of exponentials along one dimension, without overflow. As {@code torch.logsumexp}.
     *
     * @param dim
     *            which, from the back when negative
     * @param keepDim
     *            whether it stays, with size 1
     * @return a new tensor; backward keeps this and the result
     */
    public Tensor logsumexp(int dim, boolean keepDim) {
        return logsumexp(new int[]{dim}, keepDim);
    }

    /**
     * Euclidean norm of all elements. As {@code torch.norm}.
     *
     * @return a new scalar; backward keeps this tensor and the result; under autocast in float32
     */
    public Tensor norm() {
        return map(a -> a.isSparse()
                ? SparseRows.norm(a, 2)
                : Norms.vector(a, 2, Reductions.ALL, false, AutocastMode.wide(a)));
    }

    /**
     * The p-norm of all elements. As {@code torch.norm}.
     *
     * @param p
     *            2 for the Euclidean norm, infinity for the largest magnitude, 0 for how many are not zero
     * @return a new scalar; backward keeps this tensor and the result; under autocast in float32
     */
    public Tensor norm(double p) {
        return norm(p, Reductions.ALL, false);
    }

    /**
     * The p-norm over dimensions. As {@code torch.norm}.
     *
     * @param p
     *            2 for the Euclidean norm, infinity for the largest magnitude, 0 for how many are not zero
     * @param dims
     *            which ones, from the back when negative; none for all
     * @return a new tensor; backward keeps this tensor and the result; under autocast in float32
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor norm(double p, int... dims) {
        return norm(p, dims, false);
    }

    /**
     * The p-norm over dimensions, kept as size 1 if asked. As {@code torch.norm}.
     *
     * @param p
     *            2 for the Euclidean norm, infinity for the largest magnitude, 0 for how many are not zero
     * @param dims
     *            which ones, from the back when negative; none for all
     * @param keepDim
     *            whether what is reduced stays with size 1; false by default
     * @return a new tensor; backward keeps this tensor and the result; under autocast in float32
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor norm(double p, int[] dims, boolean keepDim) {
        return map(a -> Norms.vector(a, p, dims, keepDim, AutocastMode.wide(a)));
    }

    /**
     * How many are not zero, as int64. As {@code torch.count_nonzero}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @return a new int64 tensor, after a bool one of this shape; outside the graph
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor countNonzero(int... dims) {
        return map(a -> Statistics.countNonzero(a, dims));
    }

    /**
     * Whether any element is true. As {@code torch.any}.
     *
     * @return a new bool scalar, outside the graph
     */
    public Tensor any() {
        return map(a -> Reductions.truth(a, false, Reductions.ALL, false));
    }

    /**
     * Whether any is true along a dimension. As {@code torch.any}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return a new bool tensor, outside the graph
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor any(int dim) {
        return any(dim, false);
    }

    /**
     * Whether any is true along a dimension. As {@code torch.any}.
     *
     * @param dim
     *            which one, from the back when negative
     * @param keepDim
     *            whether what is reduced stays with size 1; false by default
     * @return a new bool tensor, outside the graph
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor any(int dim, boolean keepDim) {
        return map(a -> Reductions.truth(a, false, new int[]{dim}, keepDim));
    }

    /**
     * Whether all elements are true. As {@code torch.all}.
     *
     * @return a new bool scalar, outside the graph
     */
    public Tensor all() {
        return map(a -> Reductions.truth(a, true, Reductions.ALL, false));
    }

    /**
     * Whether all are true along a dimension. As {@code torch.all}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return a new bool tensor, outside the graph
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor all(int dim) {
        return all(dim, false);
    }

    /**
     * Whether all are true along a dimension. As {@code torch.all}.
     *
     * @param dim
     *            which one, from the back when negative
     * @param keepDim
     *            whether what is reduced stays with size 1; false by default
     * @return a new bool tensor, outside the graph
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor all(int dim, boolean keepDim) {
        return map(a -> Reductions.truth(a, true, new int[]{dim}, keepDim));
    }
}
