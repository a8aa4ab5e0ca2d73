package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.ops.attention.NativeAttention;
import io.vramlab.tensor.internal.ops.matrix.Angles;
import io.vramlab.tensor.internal.ops.matrix.Baddbmm;
import io.vramlab.tensor.internal.ops.matrix.Distances;
import io.vramlab.tensor.internal.ops.matrix.Einsum;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.matrix.PairDistances;
import io.vramlab.tensor.internal.ops.matrix.TimeConvolution;
import io.vramlab.tensor.internal.ops.matrix.Trilinear;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s products of several tensors, and distances and angles between rows. Under autocast products run
 * in its lower precision; backward keeps each factor of which the other's gradient is wanted.
 */
abstract sealed class ProductFunctions extends EmbeddingFunctions permits ConvolutionFunctions {

    /**
     * {@code linear} with PyTorch's defaults: no bias. As {@code torch.nn.functional.linear}.
     *
     * @param x
     *            [… in]
     * @param weight
     *            [out, in]
     * @return a new tensor [… out]; under autocast in its lower precision
     * @throws TensorException
     *             if the last size of x is not the weight's second, or the dtypes differ
     */
    public static Tensor linear(Tensor x, Tensor weight) {
        return Functional.linear(x, weight, null);
    }

    /**
     * x [… in] times the transpose of weight [out, in], plus bias [out] or null. As {@code torch.nn.functional.linear}.
     *
     * @param x
     *            [… in]
     * @param weight
     *            [out, in]
     * @param bias
     *            [out], or null; none by default
     * @return a new tensor [… out]; under autocast in its lower precision
     * @throws TensorException
     *             if the last size of x is not the weight's second, or the dtypes differ
     */
    public static Tensor linear(Tensor x, Tensor weight, Tensor bias) {
        return Calls.lower(a -> MatrixOps.linear(a[0], a[1], a[2]), x, weight, bias);
    }

    /**
     * {@code bilinear} with PyTorch's defaults: no bias. As {@code torch.nn.functional.bilinear}.
     *
     * @param x1
     *            [… in1]
     * @param x2
     *            [… in2]
     * @param weight
     *            [out, in1, in2]
     * @return a new tensor [… out]; under autocast in the widest dtype of the arguments
     * @throws TensorException
     *             if the sizes do not fit the weight's
     */
    public static Tensor bilinear(Tensor x1, Tensor x2, Tensor weight) {
        return Functional.bilinear(x1, x2, weight, null);
    }

    /**
     * x1 [… in1] and x2 [… in2] through weight [out, in1, in2], plus bias [out] or null. As
     * {@code torch.nn.functional.bilinear}.
     *
     * @param x1
     *            [… in1]
     * @param x2
     *            [… in2]
     * @param weight
     *            [out, in1, in2]
     * @param bias
     *            [out], or null; none by default
     * @return a new tensor [… out]; under autocast in the widest dtype of the arguments
     * @throws TensorException
     *             if the sizes do not fit the weight's
     */
    public static Tensor bilinear(Tensor x1, Tensor x2, Tensor weight, Tensor bias) {
        return Calls.call(x -> AutocastMode.widest(a -> Trilinear.bilinear(a[0], a[1], a[2], a[3]), x), x1, x2, weight,
                bias);
    }

    /**
     * Sums of products by Einstein's notation, for instance {@code einsum("bij,bjk->bik", x, y)}: letters that the result lacks are
     * summed over, and {@code ...} stands for dimensions that need no letter. As {@code torch.einsum} where opt_einsum is not installed: more than
     * two operands are multiplied from the left.
     *
     * @param equation
     *            letters for the dimensions of each operand, one twice for a diagonal, then of the result, which by default has in their
     *            order what is there once; spaces do not count
     * @param operands
     *            of any shapes, at least one
     * @return a new tensor by one product of stacks of matrices for each operand but the first, or a view where letters only change
     *         places; under autocast in its lower precision
     * @throws TensorException
     *             if the letters do not fit the shapes, or the result has one that no operand has
     */
    public static Tensor einsum(String equation, Tensor... operands) {
        return Calls.call(list -> AutocastMode.lowerList(a -> Einsum.of(equation, a), list), operands);
    }

    /**
     * input, broadcast to [n, l, s], plus the products of [n, l, d] and [n, d, s]. As {@code torch.baddbmm}.
     *
     * @param input
     *            broadcast to [n, l, s]
     * @param batch1
     *            [n, l, d]
     * @param batch2
     *            [n, d, s]
     * @return a new tensor [n, l, s]; under autocast in its lower precision
     * @throws TensorException
     *             if shapes or dtypes do not fit
     */
    public static Tensor baddbmm(Tensor input, Tensor batch1, Tensor batch2) {
        return Calls.lower(a -> Baddbmm.of(a[0], a[1], a[2]), input, batch1, batch2);
    }

    /**
     * x [m, in] times the transpose of weight [out, in] plus bias [out], then ReLU or GELU in place, without gradients.
     * As {@code torch._addmm_activation}.
     *
     * @param bias
     *            [out]
     * @param x
     *            [m, in]
     * @param weight
     *            [out, in]
     * @param gelu
     *            false for ReLU
     * @return a new tensor [m, out], outside the graph
     * @throws TensorException
     *             if shapes or dtypes do not fit
     */
    public static Tensor addmmActivation(Tensor bias, Tensor x, Tensor weight, boolean gelu) {
        try (GradMode.State off = GradMode.enter(false)) {
            return Calls.call(a -> NativeAttention.activated(a[0], a[1], a[2], gelu), bias, x, weight);
        }
    }

    /**
     * Divided by the Euclidean norm along dimension 1. As {@code torch.nn.functional.normalize}.
     *
     * @param x
     *            of any shape
     * @return a new tensor; backward keeps x and the bounded norms
     * @throws TensorException
     *             if x has less than two dimensions
     */
    public static Tensor normalize(Tensor x) {
        return normalize(x, 2, 1);
    }

    /**
     * Divided by the p-norm along a dimension, which is at least 1e-12. As {@code torch.nn.functional.normalize}.
     *
     * @param x
     *            of any shape
     * @param p
     *            of the norm; 2 by default
     * @param dim
     *            along which, from the back when negative; 1 by default
     * @return a new tensor; backward keeps x and the bounded norms
     * @throws TensorException
     *             if there is no such dimension
     */
    public static Tensor normalize(Tensor x, double p, int dim) {
        return normalize(x, p, dim, 1e-12);
    }

    /**
     * Divided by the p-norm along a dimension, which is at least eps. As {@code torch.nn.functional.normalize}.
     *
     * @param x
     *            of any shape
     * @param p
     *            of the norm; 2 by default
     * @param dim
     *            along which, from the back when negative; 1 by default
     * @param eps
     *            least divisor; 1e-12 by default
     * @return a new tensor; backward keeps x and the bounded norms
     * @throws TensorException
     *             if there is no such dimension
     */
    public static Tensor normalize(Tensor x, double p, int dim, double eps) {
        return Calls.call(a -> Angles.normalize(a[0], p, dim, eps), x);
    }

    /**
     * Cosine of the angle between the rows of dimension 1. As {@code torch.nn.functional.cosine_similarity}.
     *
     * @param x1
     *            broadcast against x2
     * @param x2
     *            broadcast against x1
     * @return a new tensor without the dimension; composed: both rows of length 1 are tensors, which backward keeps
     *         beside x1, x2 and norms; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor cosineSimilarity(Tensor x1, Tensor x2) {
        return cosineSimilarity(x1, x2, 1, 1e-8);
    }

    /**
     * Cosines of the angles between vectors along a dimension, with PyTorch's eps of 1e-8. As
     * {@code torch.nn.functional.cosine_similarity}.
     *
     * @param x1
     *            broadcast with the other
     * @param x2
     *            broadcast with the first
     * @param dim
     *            of the vectors, from the back when negative
     * @return a new tensor without that dimension
     * @throws TensorException
     *             if they do not broadcast, or there is no such dimension
     */
    public static Tensor cosineSimilarity(Tensor x1, Tensor x2, int dim) {
        return cosineSimilarity(x1, x2, dim, 1e-8);
    }

    /**
     * Cosine of the angle between rows along a dimension; norms are at least eps. As
     * {@code torch.nn.functional.cosine_similarity}.
     *
     * @param x1
     *            broadcast against x2
     * @param x2
     *            broadcast against x1
     * @param dim
     *            along which rows run, from the back when negative; 1 by default
     * @param eps
     *            least norm; 1e-8 by default
     * @return a new tensor without the dimension; composed: both rows of length 1 are tensors, which backward keeps
     *         beside x1, x2 and norms; under autocast in float32
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor cosineSimilarity(Tensor x1, Tensor x2, int dim, double eps) {
        return Calls.full(a -> Angles.cosine(a[0], a[1], dim, eps), x1, x2);
    }

    /**
     * {@code pairwiseDistance} with PyTorch's defaults: Euclidean. As {@code torch.nn.functional.pairwise_distance}.
     *
     * @param x1
     *            broadcast against x2
     * @param x2
     *            broadcast against x1
     * @return a new tensor; backward keeps the differences and the result
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor pairwiseDistance(Tensor x1, Tensor x2) {
        return Functional.pairwiseDistance(x1, x2, 2, 1e-6, false);
    }

    /**
     * The p-norm of x1 - x2 + eps along the last dimension; p is 1, 2 or infinity. As
     * {@code torch.nn.functional.pairwise_distance}.
     *
     * @param x1
     *            broadcast against x2
     * @param x2
     *            broadcast against x1
     * @param p
     *            1, 2 or infinity; 2 by default
     * @param eps
     *            added to each difference; 1e-6 by default
     * @param keepDim
     *            whether the last dimension stays with size 1; false by default
     * @return a new tensor; backward keeps the differences and the result
     * @throws TensorException
     *             if the shapes do not broadcast (sizes equal, or one of them 1), or the devices differ
     */
    public static Tensor pairwiseDistance(Tensor x1, Tensor x2, double p, double eps, boolean keepDim) {
        return Calls.call(a -> Distances.pairwise(a[0], a[1], p, eps, keepDim), x1, x2);
    }

    /**
     * Euclidean distances between all pairs of rows of x [n, m]: [n (n - 1) / 2]. As {@code torch.nn.functional.pdist}.
     *
     * @param x
     *            [n, m]
     * @return a new tensor [n (n - 1) / 2]; backward keeps x and the result; under autocast in float32
     * @throws TensorException
     *             if x is no matrix, or p is negative
     */
    public static Tensor pdist(Tensor x) {
        return pdist(x, 2);
    }

    /**
     * Distances by the p-norm between all pairs of rows of x [n, m]; computed on the host, whatever the device. As
     * {@code torch.nn.functional.pdist}.
     *
     * @param x
     *            [n, m]
     * @param p
     *            0 or more; 2 by default
     * @return a new tensor [n (n - 1) / 2]; backward keeps x and the result; under autocast in float32
     * @throws TensorException
     *             if x is no matrix, or p is negative
     */
    public static Tensor pdist(Tensor x, double p) {
        return Calls.full(a -> PairDistances.pdist(a[0], p), x);
    }

    /**
     * Convolution along times without padding. As {@code torch.nn.functional.conv_tbc}.
     *
     * @param x
     *            [times, batch, in]
     * @param weight
     *            [k, in, out]
     * @param bias
     *            [out]
     * @return a new tensor [times - k + 1, batch, out]
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor convTbc(Tensor x, Tensor weight, Tensor bias) {
        return convTbc(x, weight, bias, 0);
    }

    /**
     * Convolution along times. As {@code torch.nn.functional.conv_tbc}: a product of matrices for each place of the kernel.
     * Backward keeps x, the weight and the bias.
     *
     * @param x
     *            [times, batch, in]
     * @param weight
     *            [k, in, out]
     * @param bias
     *            [out]
     * @param pad
     *            times of zeros at each end; 0 by default
     * @return a new tensor [times + 2 pad - k + 1, batch, out]
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor convTbc(Tensor x, Tensor weight, Tensor bias, long pad) {
        return Calls.lower(a -> TimeConvolution.of(a[0], a[1], a[2], pad), x, weight, bias);
    }
}
