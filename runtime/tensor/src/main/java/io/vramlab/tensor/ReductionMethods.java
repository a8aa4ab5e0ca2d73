package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.ReduceOp;
import io.vramlab.tensor.core.AutocastMode;
import io.vramlab.tensor.ops.index.Lookup;
import io.vramlab.tensor.ops.index.Sorts;
import io.vramlab.tensor.ops.matrix.Products;
import io.vramlab.tensor.ops.reduce.Norms;
import io.vramlab.tensor.ops.reduce.Reductions;
import io.vramlab.tensor.ops.reduce.Softmax;
import io.vramlab.tensor.ops.statistics.Quantiles;
import io.vramlab.tensor.ops.statistics.Scans;
import io.vramlab.tensor.ops.statistics.Statistics;

/** More of {@link Tensor}'s reductions, scans and sorts. No dimensions means all; those that return several give values, then int64 indices. */
abstract class ReductionMethods extends InPlaceMethods {

    /** Sum of all elements in another dtype. */
    public Tensor sum(DType dtype) {
        return map(a -> Statistics.sumAs(a, dtype));
    }

    /** Product of all elements. */
    public Tensor prod() {
        return map(a -> AutocastMode.full(x -> Statistics.prod(x[0], Reductions.ALL, false), a));
    }

    /** Product along a dimension. */
    public Tensor prod(int dim) {
        return prod(dim, false);
    }

    /** Product along a dimension, kept as size 1 if asked. */
    public Tensor prod(int dim, boolean keepDim) {
        return map(a -> AutocastMode.full(x -> Statistics.prod(x[0], new int[]{dim}, keepDim), a));
    }

    /** Largest along a dimension: values and indices. */
    public Tensor[] max(int dim) {
        return max(dim, false);
    }

    /** Largest along a dimension: values and indices. */
    public Tensor[] max(int dim, boolean keepDim) {
        return several(x -> Lookup.extreme(x[0], true, dim, keepDim));
    }

    /** Smallest along a dimension: values and indices. */
    public Tensor[] min(int dim) {
        return min(dim, false);
    }

    /** Smallest along a dimension: values and indices. */
    public Tensor[] min(int dim, boolean keepDim) {
        return several(x -> Lookup.extreme(x[0], false, dim, keepDim));
    }

    /** Largest along dimensions. */
    public Tensor amax(int[] dims, boolean keepDim) {
        return map(a -> Reductions.extreme(a, true, dims, keepDim));
    }

    /** Smallest along dimensions. */
    public Tensor amin(int[] dims, boolean keepDim) {
        return map(a -> Reductions.extreme(a, false, dims, keepDim));
    }

    /** Smallest and largest of all; no gradient, as in PyTorch. */
    public Tensor[] aminmax() {
        return several(x -> Statistics.aminmax(x[0]));
    }

    /** Index of the largest along a dimension, as int64. */
    public Tensor argmax(int dim, boolean keepDim) {
        return map(a -> Reductions.argExtreme(a, true, new int[]{dim}, keepDim));
    }

    /** Index of the smallest of all elements, as int64. */
    public Tensor argmin() {
        return map(a -> Reductions.argExtreme(a, false, Reductions.ALL, false));
    }

    /** Index of the smallest along a dimension, as int64. */
    public Tensor argmin(int dim, boolean keepDim) {
        return map(a -> Reductions.argExtreme(a, false, new int[]{dim}, keepDim));
    }

    /** Whether any is true along a dimension. */
    public Tensor any(int dim) {
        return any(dim, false);
    }

    /** Whether any is true along a dimension. */
    public Tensor any(int dim, boolean keepDim) {
        return map(a -> Reductions.truth(a, false, new int[]{dim}, keepDim));
    }

    /** Whether all are true along a dimension. */
    public Tensor all(int dim) {
        return all(dim, false);
    }

    /** Whether all are true along a dimension. */
    public Tensor all(int dim, boolean keepDim) {
        return map(a -> Reductions.truth(a, true, new int[]{dim}, keepDim));
    }

    /** Standard deviation over dimensions (n - 1), all if none is named. */
    public Tensor std(int... dims) {
        return std(dims, 1, false);
    }

    /** Standard deviation over dimensions (n - correction). */
    public Tensor std(int[] dims, double correction, boolean keepDim) {
        return map(a -> Norms.std(a, dims, keepDim, correction));
    }

    /** Variance over dimensions (n - correction). */
    public Tensor var(int[] dims, double correction, boolean keepDim) {
        return map(a -> Reductions.var(a, dims, keepDim, correction));
    }

    /** Variance (n - 1) and mean over dimensions. */
    public Tensor[] varMean(int... dims) {
        return several(x -> Statistics.withMean(x[0], dims, false, 1, false));
    }

    /** Variance (n - correction) and mean over dimensions. */
    public Tensor[] varMean(int[] dims, double correction, boolean keepDim) {
        return several(x -> Statistics.withMean(x[0], dims, keepDim, correction, false));
    }

    /** Standard deviation (n - 1) and mean over dimensions. */
    public Tensor[] stdMean(int... dims) {
        return several(x -> Statistics.withMean(x[0], dims, false, 1, true));
    }

    /** The p-norm of all elements. */
    public Tensor norm(double p) {
        return norm(p, Reductions.ALL, false);
    }

    /** The p-norm over dimensions. */
    public Tensor norm(double p, int... dims) {
        return norm(p, dims, false);
    }

    /** The p-norm over dimensions, kept as size 1 if asked. */
    public Tensor norm(double p, int[] dims, boolean keepDim) {
        return map(a -> AutocastMode.full(x -> Norms.vector(x[0], p, dims, keepDim), a));
    }

    /** Logarithm of the sum of exponentials over dimensions. */
    public Tensor logsumexp(int... dims) {
        return logsumexp(dims, false);
    }

    /** Logarithm of the sum of exponentials over dimensions, kept as size 1 if asked. */
    public Tensor logsumexp(int[] dims, boolean keepDim) {
        return map(a -> Statistics.logsumexp(a, dims, keepDim));
    }

    /** Sum of what is not NaN. */
    public Tensor nansum(int... dims) {
        return map(a -> Statistics.nansum(a, dims, false));
    }

    /** Mean of what is not NaN. */
    public Tensor nanmean(int... dims) {
        return map(a -> Statistics.nanmean(a, dims, false));
    }

    /** How many are not zero, as int64. */
    public Tensor countNonzero(int... dims) {
        return map(a -> Statistics.countNonzero(a, dims));
    }

    /** The middle of all elements, the lower of two. */
    public Tensor median() {
        return map(Sorts::median);
    }

    /** The middle along a dimension, the lower of two: values and indices. */
    public Tensor[] median(int dim) {
        return median(dim, false);
    }

    /** The middle along a dimension: values and indices. */
    public Tensor[] median(int dim, boolean keepDim) {
        return several(x -> Sorts.median(x[0], dim, keepDim));
    }

    /** The most frequent along a dimension: values and indices. */
    public Tensor[] mode(int dim) {
        return several(x -> Sorts.mode(x[0], dim, false));
    }

    /** The k-th smallest along a dimension, k from 1: values and indices. */
    public Tensor[] kthvalue(long k, int dim) {
        return several(x -> Sorts.kthvalue(x[0], k, dim, false));
    }

    /** The k largest of the last dimension, sorted: values and indices. */
    public Tensor[] topk(long k) {
        return topk(k, -1, true);
    }

    /** The k largest along a dimension, sorted: values and indices. */
    public Tensor[] topk(long k, int dim) {
        return topk(k, dim, true);
    }

    /** The k largest (or smallest) along a dimension, sorted: values and indices. */
    public Tensor[] topk(long k, int dim, boolean largest) {
        return several(x -> Lookup.topk(x[0], k, dim, largest));
    }

    /** The last dimension in ascending order: values and indices. */
    public Tensor[] sort() {
        return sort(-1, false);
    }

    /** A dimension in ascending order: values and indices. */
    public Tensor[] sort(int dim) {
        return sort(dim, false);
    }

    /** A dimension in order, equal elements in theirs, NaN the largest: values and indices. */
    public Tensor[] sort(int dim, boolean descending) {
        return several(x -> Sorts.sort(x[0], dim, descending));
    }

    /** Indices that sort the last dimension. */
    public Tensor argsort() {
        return argsort(-1, false);
    }

    /** Indices that sort a dimension. */
    public Tensor argsort(int dim) {
        return argsort(dim, false);
    }

    /** Indices that sort a dimension. */
    public Tensor argsort(int dim, boolean descending) {
        return map(a -> Sorts.argsort(a, dim, descending));
    }

    /** The distinct elements, sorted. Their number is known once the device was waited for. */
    public Tensor unique() {
        return map(a -> Sorts.unique(a, false, false)[0]);
    }

    /** The distinct elements, sorted, where each element is among them, and how often each is. */
    public Tensor[] unique(boolean inverse, boolean counts) {
        return several(x -> Sorts.unique(x[0], inverse, counts));
    }

    /** Sum so far along a dimension. */
    public Tensor cumsum(int dim) {
        return map(a -> AutocastMode.full(x -> Scans.cumsum(x[0], dim), a));
    }

    /** Product so far along a dimension. */
    public Tensor cumprod(int dim) {
        return map(a -> AutocastMode.full(x -> Scans.cumprod(x[0], dim), a));
    }

    /** Largest so far along a dimension: values and indices. */
    public Tensor[] cummax(int dim) {
        return several(x -> Scans.extreme(x[0], dim, true));
    }

    /** Smallest so far along a dimension: values and indices. */
    public Tensor[] cummin(int dim) {
        return several(x -> Scans.extreme(x[0], dim, false));
    }

    /** Logarithm of the sum of exponentials so far along a dimension. */
    public Tensor logcumsumexp(int dim) {
        return map(a -> Scans.logcumsumexp(a, dim));
    }

    /** Differences of neighbours in the last dimension. */
    public Tensor diff() {
        return diff(-1);
    }

    /** Differences of neighbours along a dimension. */
    public Tensor diff(int dim) {
        return map(a -> Statistics.diff(a, dim));
    }

    /** Sum of a matrix's diagonal. */
    public Tensor trace() {
        return map(Products::trace);
    }

    /** How often each of the whole numbers from 0 on is, as int64. */
    public Tensor bincount() {
        return bincount(0);
    }

    /** How often each of the whole numbers from 0 on is, of at least so many. */
    public Tensor bincount(long minLength) {
        return map(a -> Statistics.bincount(a, minLength));
    }

    /** How many elements lie in each of so many equal parts of [min, max]; of all elements if both are 0. */
    public Tensor histc(long bins, double min, double max) {
        return map(a -> Quantiles.histc(a, bins, min, max));
    }

    /** How many elements lie in each of so many equal parts between the least and the greatest. */
    public Tensor histc(long bins) {
        return histc(bins, 0, 0);
    }

    /** The q-quantile of all elements, between neighbours in proportion. */
    public Tensor quantile(double q) {
        return map(a -> Quantiles.of(a, q, null, false));
    }

    /** The q-quantile along a dimension. */
    public Tensor quantile(double q, int dim) {
        return quantile(q, dim, false);
    }

    /** The q-quantile along a dimension, which may stay with size 1. */
    public Tensor quantile(double q, int dim, boolean keepDim) {
        return map(a -> Quantiles.of(a, q, dim, keepDim));
    }

    /** Exponentials along a dimension, divided by their sum. */
    public Tensor softmax(int dim) {
        return map(a -> AutocastMode.full(x -> Softmax.of(x[0], dim, false), a));
    }

    /** Softmax in another dtype. */
    public Tensor softmax(int dim, DType dtype) {
        return map(a -> Statistics.softmaxAs(a, dim, dtype, false));
    }

    /** Logarithm of softmax. */
    public Tensor logSoftmax(int dim) {
        return map(a -> AutocastMode.full(x -> Softmax.of(x[0], dim, true), a));
    }

    /** Logarithm of softmax in another dtype. */
    public Tensor logSoftmax(int dim, DType dtype) {
        return map(a -> Statistics.softmaxAs(a, dim, dtype, true));
    }
}
