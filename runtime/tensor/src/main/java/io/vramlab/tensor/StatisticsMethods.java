package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.ops.reduce.Norms;
import io.vramlab.tensor.internal.ops.reduce.Variances;
import io.vramlab.tensor.internal.ops.statistics.Quantiles;
import io.vramlab.tensor.internal.ops.statistics.Scans;
import io.vramlab.tensor.internal.ops.statistics.Statistics;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Tensor}'s variances, quantiles, counts, and what runs along a dimension: sums so far, differences.
 */
abstract sealed class StatisticsMethods extends SortingMethods permits ProductMethods {

    /**
     * Variance over dimensions (n - 1), all if none is named. As {@code torch.var}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @return a new tensor, float32 of whole numbers; backward keeps this tensor
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor var(int... dims) {
        return map(a -> Variances.var(a, dims, false, 1));
    }

    /**
     * Variance over dimensions (n - correction). As {@code torch.var}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @param correction
     *            what is taken from the number of elements before dividing by it; 1 by default
     * @param keepDim
     *            whether what is reduced stays with size 1; false by default
     * @return a new tensor, float32 of whole numbers; backward keeps this tensor
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor var(int[] dims, double correction, boolean keepDim) {
        return map(a -> Variances.var(a, dims, keepDim, correction));
    }

    /**
     * Variance over a dimension (n - 1). As {@code torch.var}.
     *
     * @param dim
     *            which one, from the back when negative
     * @param keepDim
     *            whether it stays with size 1; false by default
     * @return a new tensor, float32 of whole numbers; backward keeps this tensor
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor var(int dim, boolean keepDim) {
        return var(new int[]{dim}, 1, keepDim);
    }

    /**
     * Standard deviation over a dimension (n - 1). As {@code torch.std}.
     *
     * @param dim
     *            which one, from the back when negative
     * @param keepDim
     *            whether it stays with size 1; false by default
     * @return a new tensor, float32 of whole numbers; backward keeps this tensor and the result
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor std(int dim, boolean keepDim) {
        return std(new int[]{dim}, 1, keepDim);
    }

    /**
     * Standard deviation over dimensions (n - 1), all if none is named. As {@code torch.std}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @return a new tensor, float32 of whole numbers; backward keeps this tensor and the result
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor std(int... dims) {
        return std(dims, 1, false);
    }

    /**
     * Standard deviation over dimensions (n - correction). As {@code torch.std}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @param correction
     *            what is taken from the number of elements before dividing by it; 1 by default
     * @param keepDim
     *            whether what is reduced stays with size 1; false by default
     * @return a new tensor, float32 of whole numbers; backward keeps this tensor and the result
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor std(int[] dims, double correction, boolean keepDim) {
        return map(a -> Norms.std(a, dims, keepDim, correction));
    }

    /**
     * Variance (n - 1) and mean over dimensions. As {@code torch.var_mean}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @return the spread, then the mean, two new tensors made in one pass; backward keeps this tensor, and of
     *         {@code stdMean} the deviation
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor[] varMean(int... dims) {
        return several(x -> Statistics.withMean(x[0], dims, false, 1, false));
    }

    /**
     * Variance (n - correction) and mean over dimensions. As {@code torch.var_mean}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @param correction
     *            what is taken from the number of elements before dividing by it; 1 by default
     * @param keepDim
     *            whether what is reduced stays with size 1; false by default
     * @return the spread, then the mean, two new tensors made in one pass; backward keeps this tensor, and of
     *         {@code stdMean} the deviation
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor[] varMean(int[] dims, double correction, boolean keepDim) {
        return several(x -> Statistics.withMean(x[0], dims, keepDim, correction, false));
    }

    /**
     * Standard deviation (n - 1) and mean over dimensions. As {@code torch.std_mean}.
     *
     * @param dims
     *            which ones, from the back when negative; none for all
     * @return the spread, then the mean, two new tensors made in one pass; backward keeps this tensor, and of
     *         {@code stdMean} the deviation
     * @throws TensorException
     *             if there is no such dimension, or one is named twice
     */
    public Tensor[] stdMean(int... dims) {
        return several(x -> Statistics.withMean(x[0], dims, false, 1, true));
    }

    /**
     * The q-quantile of all elements, between neighbours in proportion. As {@code torch.quantile}.
     *
     * @param q
     *            share of the elements that lie below, from 0 to 1
     * @return a new tensor; sorts first, so values and int64 indices of this size are taken, and the indices kept for
     *         backward
     * @throws TensorException
     *             if q is outside of [0, 1], without elements, or of whole numbers
     */
    public Tensor quantile(double q) {
        return map(a -> Quantiles.of(a, q, null, false));
    }

    /**
     * The q-quantile along a dimension. As {@code torch.quantile}.
     *
     * @param q
     *            share of the elements that lie below, from 0 to 1
     * @param dim
     *            which one, from the back when negative
     * @return a new tensor; sorts first, so values and int64 indices of this size are taken, and the indices kept for
     *         backward
     * @throws TensorException
     *             if q is outside of [0, 1], without elements, or of whole numbers
     */
    public Tensor quantile(double q, int dim) {
        return quantile(q, dim, false);
    }

    /**
     * The q-quantile along a dimension, which may stay with size 1. As {@code torch.quantile}.
     *
     * @param q
     *            share of the elements that lie below, from 0 to 1
     * @param dim
     *            which one, from the back when negative
     * @param keepDim
     *            whether what is reduced stays with size 1; false by default
     * @return a new tensor; sorts first, so values and int64 indices of this size are taken, and the indices kept for
     *         backward
     * @throws TensorException
     *             if q is outside of [0, 1], without elements, or of whole numbers
     */
    public Tensor quantile(double q, int dim, boolean keepDim) {
        return map(a -> Quantiles.of(a, q, dim, keepDim));
    }

    /**
     * How many elements lie in each of so many equal parts between the least and the greatest. As {@code torch.histc}.
     *
     * @param bins
     *            how many parts, at least 1
     * @return a new vector of counts in this dtype, outside the graph
     * @throws TensorException
     *             for less than one part
     */
    public Tensor histc(long bins) {
        return histc(bins, 0, 0);
    }

    /**
     * How many elements lie in each of so many equal parts of [min, max]; of all elements if both are 0. As
     * {@code torch.histc}.
     *
     * @param bins
     *            how many parts, at least 1
     * @param min
     *            where the first part begins; what lies below is left out
     * @param max
     *            where the last part ends; what lies above is left out
     * @return a new vector of counts in this dtype, outside the graph
     * @throws TensorException
     *             for less than one part, or a max below min
     */
    public Tensor histc(long bins, double min, double max) {
        return map(a -> Quantiles.histc(a, bins, min, max));
    }

    /**
     * How often each of the whole numbers from 0 on is, as int64. As {@code torch.bincount}.
     *
     * @return a new int64 vector, one longer than the largest number; the device is waited for
     * @throws TensorException
     *             unless this is a vector of whole numbers from 0 on; on a device without values
     */
    public Tensor bincount() {
        return bincount(0);
    }

    /**
     * How often each of the whole numbers from 0 on is, of at least so many. As {@code torch.bincount}.
     *
     * @param minLength
     *            least size of the result; 0 by default
     * @return a new int64 vector, one longer than the largest number; the device is waited for
     * @throws TensorException
     *             unless this is a vector of whole numbers from 0 on; on a device without values
     */
    public Tensor bincount(long minLength) {
        return map(a -> Statistics.bincount(a, minLength));
    }

    /**
     * Sum so far along a dimension. As {@code torch.cumsum}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return a new tensor of this shape, int64 of whole numbers; a vector takes CUB's scratch; backward keeps nothing;
     *         under autocast in float32
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor cumsum(int dim) {
        return map(a -> AutocastMode.full(x -> Scans.cumsum(x[0], dim), a));
    }

    /**
     * Product so far along a dimension. As {@code torch.cumprod}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return a new tensor of this shape, int64 of whole numbers; backward keeps this tensor and the result; under
     *         autocast in float32
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor cumprod(int dim) {
        return map(a -> AutocastMode.full(x -> Scans.cumprod(x[0], dim), a));
    }

    /**
     * Largest so far along a dimension: values and indices. As {@code torch.cummax}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return values and int64 indices, two new tensors of this shape; backward keeps the indices
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor[] cummax(int dim) {
        return several(x -> Scans.extreme(x[0], dim, true));
    }

    /**
     * Smallest so far along a dimension: values and indices. As {@code torch.cummin}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return values and int64 indices, two new tensors of this shape; backward keeps the indices
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor[] cummin(int dim) {
        return several(x -> Scans.extreme(x[0], dim, false));
    }

    /**
     * Logarithm of the sum of exponentials so far along a dimension. As {@code torch.logcumsumexp}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return a new tensor of this shape; backward keeps this tensor and the result
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor logcumsumexp(int dim) {
        return map(a -> Scans.logcumsumexp(a, dim));
    }

    /**
     * Differences of neighbours in the last dimension. As {@code torch.diff}.
     *
     * @return a new tensor, one shorter along the last dimension; backward keeps nothing
     */
    public Tensor diff() {
        return diff(-1);
    }

    /**
     * Differences of neighbours along a dimension. As {@code torch.diff}.
     *
     * @param dim
     *            which one, from the back when negative
     * @return a new tensor, one shorter along the dimension; backward keeps nothing
     * @throws TensorException
     *             if there is no such dimension
     */
    public Tensor diff(int dim) {
        return map(a -> Statistics.diff(a, dim));
    }
}
