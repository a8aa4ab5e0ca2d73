package io.vramlab.tensor;

import io.vramlab.device.Kernels.Window;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.function.Function;

/**
 * torch.nn.functional's operations on several tensors. Arguments are borrowed; null stands for an absent one. Shapes are
 * in the comments; n is the batch.
 */
public final class Functional {

    /** PyTorch's default for targets that do not count. */
    public static final long IGNORE_INDEX = -100;

    private Functional() {
    }

    private static TensorImpl of(Tensor t) {
        return t == null ? null : t.impl();
    }

    private static Tensor call(Function<TensorImpl[], TensorImpl> operation, Tensor... arguments) {
        try {
            TensorImpl[] impls = new TensorImpl[arguments.length];
            for (int i = 0; i < impls.length; i++) {
                impls[i] = of(arguments[i]);
            }
            return Tensor.wrap(operation.apply(impls));
        } finally {
            Reference.reachabilityFence(arguments);
        }
    }

    /** {@link #call}, on autocast's list of operations in lower precision. */
    private static Tensor lower(Function<TensorImpl[], TensorImpl> operation, Tensor... arguments) {
        return call(a -> AutocastMode.lower(operation, a), arguments);
    }

    /** {@link #call}, on autocast's list of operations in float32. */
    private static Tensor full(Function<TensorImpl[], TensorImpl> operation, Tensor... arguments) {
        return call(a -> AutocastMode.full(operation, a), arguments);
    }

    private static Tensor[] several(Function<TensorImpl[], TensorImpl[]> operation, Tensor... arguments) {
        try {
            TensorImpl[] impls = Arrays.stream(arguments).map(Functional::of).toArray(TensorImpl[]::new);
            return Arrays.stream(operation.apply(impls)).map(Tensor::wrap).toArray(Tensor[]::new);
        } finally {
            Reference.reachabilityFence(arguments);
        }
    }

    /** x [… in] times the transpose of weight [out, in], plus bias [out] or null. */
    public static Tensor linear(Tensor x, Tensor weight, Tensor bias) {
        return lower(a -> MatrixOps.linear(a[0], a[1], a[2]), x, weight, bias);
    }

    /** Exponentials along a dimension, divided by their sum. */
    public static Tensor softmax(Tensor x, int dim) {
        return full(a -> Softmax.of(a[0], dim, false), x);
    }

    /** Logarithm of softmax. */
    public static Tensor logSoftmax(Tensor x, int dim) {
        return full(a -> Softmax.of(a[0], dim, true), x);
    }

    /** Mean cross-entropy of logits [n, classes] and int64 classes [n]. */
    public static Tensor crossEntropy(Tensor logits, Tensor target) {
        return crossEntropy(logits, target, Reduction.MEAN, IGNORE_INDEX);
    }

    /** Cross-entropy of logits [n, classes] and int64 classes [n]. */
    public static Tensor crossEntropy(Tensor logits, Tensor target, Reduction reduction, long ignoreIndex) {
        return call(a -> Losses.crossEntropy(a[0], a[1], reduction, ignoreIndex), logits, target);
    }

    /** Negative log likelihood of log-probabilities [n, classes] and int64 classes [n]. */
    public static Tensor nllLoss(Tensor log, Tensor target, Reduction reduction, long ignoreIndex) {
        return full(a -> Losses.nll(a[0], a[1], reduction, ignoreIndex), log, target);
    }

    /** Squared error. */
    public static Tensor mseLoss(Tensor x, Tensor target, Reduction reduction) {
        return full(a -> Losses.mse(a[0], a[1], reduction), x, target);
    }

    /** Absolute error. */
    public static Tensor l1Loss(Tensor x, Tensor target, Reduction reduction) {
        return full(a -> Losses.l1(a[0], a[1], reduction), x, target);
    }

    /** Binary cross-entropy of sigmoid(x); target in [0, 1] of the same shape. */
    public static Tensor binaryCrossEntropyWithLogits(Tensor x, Tensor target, Reduction reduction) {
        return full(a -> Losses.bceWithLogits(a[0], a[1], reduction), x, target);
    }

    /** Layer norm over the last dimensions, of those sizes; weight and bias of that shape, or null. */
    public static Tensor layerNorm(Tensor x, long[] normalizedShape, Tensor weight, Tensor bias, double eps) {
        return full(a -> Normalization.layerNorm(a[0], normalizedShape, a[1], a[2], eps), x, weight, bias);
    }

    /**
     * Batch norm of [n, c] or [n, c, …]; all others [c] or null. When training, the running statistics are updated in
     * place.
     */
    public static Tensor batchNorm(Tensor x, Tensor runningMean, Tensor runningVar, Tensor weight, Tensor bias,
            boolean training, double momentum, double eps) {
        return call(a -> Normalization.batchNorm(a[0], a[1], a[2], a[3], a[4], training, momentum, eps), x, runningMean,
                runningVar, weight, bias);
    }

    /** Each element zero with probability p, the others divided by 1 - p; a new handle on x when not training. */
    public static Tensor dropout(Tensor x, double p, boolean training) {
        return call(a -> Normalization.dropout(a[0], p, training), x);
    }

    /** Rows of weight [rows, width] by int64 indices of any shape. */
    public static Tensor embedding(Tensor index, Tensor weight) {
        return call(a -> Lookup.embedding(a[1], a[0]), index, weight);
    }

    /** Convolution of [n, c, h, w] with weight [k, c / groups, kh, kw] and bias [k] or null. */
    public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias, Window window) {
        return lower(a -> Windows.conv2d(a[0], a[1], a[2], window), x, weight, bias);
    }

    /** Largest of each window of [n, c, h, w]. */
    public static Tensor maxPool2d(Tensor x, Window window) {
        return call(a -> Windows.maxPool2d(a[0], window), x);
    }

    /** Mean of each window of [n, c, h, w]; padding counts. */
    public static Tensor avgPool2d(Tensor x, Window window) {
        return call(a -> Windows.avgPool2d(a[0], window), x);
    }

    /** Tensors one after another along a dimension. */
    public static Tensor cat(int dim, Tensor... parts) {
        return call(a -> Joins.cat(dim, a), parts);
    }

    /** Tensors side by side along a new dimension. */
    public static Tensor stack(int dim, Tensor... parts) {
        return call(a -> Joins.stack(dim, a), parts);
    }

    /** Views of at most that size along a dimension. */
    public static Tensor[] split(Tensor x, long size, int dim) {
        return several(a -> Joins.split(a[0], size, dim), x);
    }

    /** That many views along a dimension, as even as whole sizes allow. */
    public static Tensor[] chunk(Tensor x, int chunks, int dim) {
        return several(a -> Joins.chunk(a[0], chunks, dim), x);
    }

    /** One view per index of a dimension. */
    public static Tensor[] unbind(Tensor x, int dim) {
        return several(a -> Joins.unbind(a[0], dim), x);
    }

    /** {@code out[…] = x[… index[…] …]} along a dimension; index is int64 of x's rank. */
    public static Tensor gather(Tensor x, int dim, Tensor index) {
        return call(a -> Lookup.gather(a[0], dim, a[1]), x, index);
    }

    /** Slices of the first dimension: x[index] for an int64 index of any shape. */
    public static Tensor index(Tensor x, Tensor index) {
        return call(a -> Lookup.rows("IndexBackward0", a[0], a[1]), x, index);
    }

    /** The k largest (or smallest) along a dimension, sorted: values and int64 indices. */
    public static Tensor[] topk(Tensor x, long k, int dim, boolean largest) {
        return several(a -> Lookup.topk(a[0], k, dim, largest), x);
    }

    /** Largest along a dimension: values and int64 indices. */
    public static Tensor[] max(Tensor x, int dim, boolean keepDim) {
        return several(a -> Lookup.extreme(a[0], true, dim, keepDim), x);
    }

    /** Smallest along a dimension: values and int64 indices. */
    public static Tensor[] min(Tensor x, int dim, boolean keepDim) {
        return several(a -> Lookup.extreme(a[0], false, dim, keepDim), x);
    }

    /**
     * Sums of products of one or two tensors by Einstein's notation, for instance {@code einsum("bij,bjk->bik", x, y)}:
     * letters that the result lacks are summed over.
     */
    public static Tensor einsum(String equation, Tensor... operands) {
        return call(a -> Einsum.of(equation, a), operands);
    }
}
