package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.Kernels.Window;
import io.vramlab.tensor.ops.index.Lookup;
import io.vramlab.tensor.ops.layer.Normalization;
import io.vramlab.tensor.ops.matrix.Einsum;
import io.vramlab.tensor.ops.matrix.MatrixOps;
import io.vramlab.tensor.ops.reduce.Softmax;
import io.vramlab.tensor.ops.view.Joins;
import io.vramlab.tensor.ops.window.Windows;

/**
 * torch.nn.functional's operations on several tensors. Arguments are borrowed; null stands for an absent one. Shapes are
 * in the comments; n is the batch.
 */
public final class Functional extends ShortLosses {

    private Functional() {
    }

    /** x [… in] times the transpose of weight [out, in], plus bias [out] or null. */
    public static Tensor linear(Tensor x, Tensor weight, Tensor bias) {
        return Calls.lower(a -> MatrixOps.linear(a[0], a[1], a[2]), x, weight, bias);
    }

    /** Exponentials along a dimension, divided by their sum. */
    public static Tensor softmax(Tensor x, int dim) {
        return Calls.call(a -> Softmax.underAutocast(a[0], dim, false), x);
    }

    /** Logarithm of softmax. */
    public static Tensor logSoftmax(Tensor x, int dim) {
        return Calls.call(a -> Softmax.underAutocast(a[0], dim, true), x);
    }

    /** Softmax computed, and given, in that dtype. */
    public static Tensor softmax(Tensor x, int dim, DType dtype) {
        return Calls.call(a -> Softmax.in(dtype, a[0], dim, false), x);
    }

    /** Logarithm of softmax computed, and given, in that dtype. */
    public static Tensor logSoftmax(Tensor x, int dim, DType dtype) {
        return Calls.call(a -> Softmax.in(dtype, a[0], dim, true), x);
    }

    /** Layer norm over the last dimensions, of those sizes; weight and bias of that shape, or null. */
    public static Tensor layerNorm(Tensor x, long[] normalizedShape, Tensor weight, Tensor bias, double eps) {
        return Calls.full(a -> Normalization.layerNorm(a[0], normalizedShape, a[1], a[2], eps), x, weight, bias);
    }

    /**
     * Batch norm of [n, c] or [n, c, …]; all others [c] or null. When training, the running statistics are updated in
     * place.
     */
    public static Tensor batchNorm(Tensor x, Tensor runningMean, Tensor runningVar, Tensor weight, Tensor bias,
            boolean training, double momentum, double eps) {
        return Calls.call(a -> Normalization.batchNorm(a[0], a[1], a[2], a[3], a[4], training, momentum, eps), x,
                runningMean,
                runningVar, weight, bias);
    }

    /** Each element zero with probability p, the others divided by 1 - p; a new handle on x when not training. */
    public static Tensor dropout(Tensor x, double p, boolean training) {
        return Calls.call(a -> Normalization.dropout(a[0], p, training), x);
    }

    /** Rows of weight [rows, width] by int64 indices of any shape. */
    public static Tensor embedding(Tensor index, Tensor weight) {
        return Calls.call(a -> Lookup.embedding(a[1], a[0]), index, weight);
    }

    /** Convolution of [n, c, h, w] with weight [k, c / groups, kh, kw] and bias [k] or null. */
    public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias, Window window) {
        return Calls.lower(a -> Windows.conv2d(a[0], a[1], a[2], window), x, weight, bias);
    }

    /** Largest of each window of [n, c, h, w]. */
    public static Tensor maxPool2d(Tensor x, Window window) {
        return Calls.call(a -> Windows.maxPool2d(a[0], window), x);
    }

    /** Mean of each window of [n, c, h, w]; padding counts. */
    public static Tensor avgPool2d(Tensor x, Window window) {
        return Calls.call(a -> Windows.avgPool2d(a[0], window), x);
    }

    /** Tensors one after another along a dimension. */
    public static Tensor cat(int dim, Tensor... parts) {
        return Calls.call(a -> Joins.cat(dim, a), parts);
    }

    /** Tensors side by side along a new dimension. */
    public static Tensor stack(int dim, Tensor... parts) {
        return Calls.call(a -> Joins.stack(dim, a), parts);
    }

    /** Views of at most that size along a dimension. */
    public static Tensor[] split(Tensor x, long size, int dim) {
        return Calls.several(a -> Joins.split(a[0], size, dim), x);
    }

    /** That many views along a dimension, as even as whole sizes allow. */
    public static Tensor[] chunk(Tensor x, int chunks, int dim) {
        return Calls.several(a -> Joins.chunk(a[0], chunks, dim), x);
    }

    /** One view per index of a dimension. */
    public static Tensor[] unbind(Tensor x, int dim) {
        return Calls.several(a -> Joins.unbind(a[0], dim), x);
    }

    /** {@code out[…] = x[… index[…] …]} along a dimension; index is int64 of x's rank. */
    public static Tensor gather(Tensor x, int dim, Tensor index) {
        return Calls.call(a -> Lookup.gather(a[0], dim, a[1]), x, index);
    }

    /** Slices of the first dimension: x[index] for an int64 index of any shape. */
    public static Tensor index(Tensor x, Tensor index) {
        return Calls.call(a -> Lookup.rows("IndexBackward0", a[0], a[1]), x, index);
    }

    /** The k largest (or smallest) along a dimension, sorted: values and int64 indices. */
    public static Tensor[] topk(Tensor x, long k, int dim, boolean largest) {
        return Calls.several(a -> Lookup.topk(a[0], k, dim, largest), x);
    }

    /** Largest along a dimension: values and int64 indices. */
    public static Tensor[] max(Tensor x, int dim, boolean keepDim) {
        return Calls.several(a -> Lookup.extreme(a[0], true, dim, keepDim), x);
    }

    /** Smallest along a dimension: values and int64 indices. */
    public static Tensor[] min(Tensor x, int dim, boolean keepDim) {
        return Calls.several(a -> Lookup.extreme(a[0], false, dim, keepDim), x);
    }

    /**
     * Sums of products of one or two tensors by Einstein's notation, for instance {@code einsum("bij,bjk->bik", x, y)}:
     * letters that the result lacks are summed over.
     */
    public static Tensor einsum(String equation, Tensor... operands) {
        return Calls.call(a -> Einsum.of(equation, a), operands);
    }
}
