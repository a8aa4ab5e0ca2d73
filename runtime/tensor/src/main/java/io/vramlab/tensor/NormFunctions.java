package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.layer.CrossMapNorm;
import io.vramlab.tensor.internal.ops.layer.GroupNorm;
import io.vramlab.tensor.internal.ops.layer.InstanceNorm;
import io.vramlab.tensor.internal.ops.layer.LocalResponseNorm;
import io.vramlab.tensor.internal.ops.layer.BatchNorms;
import io.vramlab.tensor.internal.ops.layer.Normalization;
import io.vramlab.tensor.internal.ops.layer.RmsNorm;
import io.vramlab.tensor.internal.ops.layer.WeightNorms;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s norms and other ways to scale by what lies around. Each takes, besides its result, the
 * statistics that backward needs: a few numbers for each row, channel or group, in float32 also for x of 2 bytes
 * (docs/footprint.md, "Norms").
 */
abstract sealed class NormFunctions extends ActivationFunctions permits DropoutFunctions {

    /**
     * {@code layerNorm} with PyTorch's defaults: no weight and bias, eps 1e-5. As
     * {@code torch.nn.functional.layer_norm}.
     *
     * @param x
     *            […, normalized shape]
     * @param normalizedShape
     *            the last sizes of x, over which mean and variance are taken
     * @return a new tensor; backward keeps x, weight, bias, and mean and inverse deviation of each row; under autocast
     *         in float32
     * @throws TensorException
     *             if the shapes do not fit
     */
    public static Tensor layerNorm(Tensor x, long... normalizedShape) {
        return Functional.layerNorm(x, normalizedShape, null, null, 1e-5);
    }

    /**
     * {@code layerNorm} with PyTorch's defaults: eps 1e-5. As {@code torch.nn.functional.layer_norm}.
     *
     * @param x
     *            […, normalized shape]
     * @param normalizedShape
     *            the last sizes of x, over which mean and variance are taken
     * @param weight
     *            factor of that shape, or null
     * @param bias
     *            summand of that shape, or null
     * @return a new tensor; backward keeps x, weight, bias, and mean and inverse deviation of each row; under autocast
     *         in float32
     * @throws TensorException
     *             if the shapes do not fit
     */
    public static Tensor layerNorm(Tensor x, long[] normalizedShape, Tensor weight, Tensor bias) {
        return Functional.layerNorm(x, normalizedShape, weight, bias, 1e-5);
    }

    /**
     * Layer norm over the last dimensions, of those sizes; weight and bias of that shape, or null. As
     * {@code torch.nn.functional.layer_norm}.
     *
     * @param x
     *            […, normalized shape]
     * @param normalizedShape
     *            the last sizes of x, over which mean and variance are taken
     * @param weight
     *            factor of that shape, or null
     * @param bias
     *            summand of that shape, or null
     * @param eps
     *            what keeps the divisor from 0; 1e-5 by default
     * @return a new tensor; backward keeps x, weight, bias, and mean and inverse deviation of each row; under autocast
     *         in float32
     * @throws TensorException
     *             if the shapes do not fit
     */
    public static Tensor layerNorm(Tensor x, long[] normalizedShape, Tensor weight, Tensor bias, double eps) {
        return Calls.full(a -> Normalization.layerNorm(a[0], normalizedShape, a[1], a[2], eps), x, weight, bias);
    }

    /**
     * {@code batchNorm} with PyTorch's defaults: by the running statistics, no weight and bias, eps 1e-5. As
     * {@code torch.nn.functional.batch_norm}.
     *
     * @param x
     *            [n, c] or [n, c, …]
     * @param runningMean
     *            [c], or null when training; changed in place when training
     * @param runningVar
     *            [c], or null when training; changed in place when training
     * @return a new tensor; backward keeps x, weight, and mean and inverse deviation of each channel
     * @throws TensorException
     *             if shapes do not fit, for one value a channel when training, or without running statistics when not
     */
    public static Tensor batchNorm(Tensor x, Tensor runningMean, Tensor runningVar) {
        return Functional.batchNorm(x, runningMean, runningVar, null, null, false, 0.1, 1e-5);
    }

    /**
     * {@code batchNorm} with PyTorch's defaults: momentum 0.1, eps 1e-5. As {@code torch.nn.functional.batch_norm}.
     *
     * @param x
     *            [n, c] or [n, c, …]
     * @param runningMean
     *            [c], or null when training; changed in place when training
     * @param runningVar
     *            [c], or null when training; changed in place when training
     * @param weight
     *            factor [c], or null
     * @param bias
     *            summand [c], or null
     * @param training
     *            whether the batch's statistics are used, and the running ones updated; false by default
     * @return a new tensor; backward keeps x, weight, and mean and inverse deviation of each channel
     * @throws TensorException
     *             if shapes do not fit, for one value a channel when training, or without running statistics when not
     */
    public static Tensor batchNorm(Tensor x, Tensor runningMean, Tensor runningVar, Tensor weight, Tensor bias,
            boolean training) {
        return Functional.batchNorm(x, runningMean, runningVar, weight, bias, training, 0.1, 1e-5);
    }

    /**
     * Batch norm of [n, c] or [n, c, …]; all others [c] or null. When training, the running statistics are updated in
     * place. As {@code torch.nn.functional.batch_norm}.
     *
     * @param x
     *            [n, c] or [n, c, …]
     * @param runningMean
     *            [c], or null when training; changed in place when training
     * @param runningVar
     *            [c], or null when training; changed in place when training
     * @param weight
     *            factor [c], or null
     * @param bias
     *            summand [c], or null
     * @param training
     *            whether the batch's statistics are used, and the running ones updated; false by default
     * @param momentum
     *            share of the batch in an update; 0.1 by default
     * @param eps
     *            what keeps the divisor from 0; 1e-5 by default
     * @return a new tensor; backward keeps x, weight, and mean and inverse deviation of each channel
     * @throws TensorException
     *             if shapes do not fit, for one value a channel when training, or without running statistics when not
     */
    public static Tensor batchNorm(Tensor x, Tensor runningMean, Tensor runningVar, Tensor weight, Tensor bias,
            boolean training, double momentum, double eps) {
        return Calls.call(a -> BatchNorms.of(a[0], a[1], a[2], a[3], a[4], training, momentum, eps), x,
                runningMean,
                runningVar, weight, bias);
    }

    /**
     * {@code groupNorm} with PyTorch's defaults: no weight and bias, eps 1e-5. As
     * {@code torch.nn.functional.group_norm}.
     *
     * @param x
     *            [n, c, …]
     * @param groups
     *            divides c
     * @return a new tensor; backward keeps x, weight, and mean and inverse deviation of each group; under autocast in
     *         float32
     * @throws TensorException
     *             if the groups do not divide the channels, or weight or bias is not [c]
     */
    public static Tensor groupNorm(Tensor x, long groups) {
        return Functional.groupNorm(x, groups, null, null, 1e-5);
    }

    /**
     * {@code groupNorm} with PyTorch's defaults: eps 1e-5. As {@code torch.nn.functional.group_norm}.
     *
     * @param x
     *            [n, c, …]
     * @param groups
     *            divides c
     * @param weight
     *            factor [c], or null
     * @param bias
     *            summand [c], or null
     * @return a new tensor; backward keeps x, weight, and mean and inverse deviation of each group; under autocast in
     *         float32
     * @throws TensorException
     *             if the groups do not divide the channels, or weight or bias is not [c]
     */
    public static Tensor groupNorm(Tensor x, long groups, Tensor weight, Tensor bias) {
        return Functional.groupNorm(x, groups, weight, bias, 1e-5);
    }

    /**
     * Over groups of channels of [n, c, …]; weight and bias [c] or null. As {@code torch.nn.functional.group_norm}.
     *
     * @param x
     *            [n, c, …]
     * @param groups
     *            divides c
     * @param weight
     *            factor [c], or null
     * @param bias
     *            summand [c], or null
     * @param eps
     *            what keeps the divisor from 0; 1e-5 by default
     * @return a new tensor; backward keeps x, weight, and mean and inverse deviation of each group; under autocast in
     *         float32
     * @throws TensorException
     *             if the groups do not divide the channels, or weight or bias is not [c]
     */
    public static Tensor groupNorm(Tensor x, long groups, Tensor weight, Tensor bias, double eps) {
        return Calls.full(a -> GroupNorm.of(a[0], groups, a[1], a[2], eps), x, weight, bias);
    }

    /**
     * {@code instanceNorm} with PyTorch's defaults: no weight and bias, statistics of the input, eps 1e-5. As
     * {@code torch.nn.functional.instance_norm}.
     *
     * @param x
     *            [n, c, …]
     * @return a new tensor; [c] is repeated for each sample; backward keeps x and mean and inverse deviation of each of
     *         n c
     * @throws TensorException
     *             of less than two dimensions, or for one element a channel
     */
    public static Tensor instanceNorm(Tensor x) {
        return Functional.instanceNorm(x, null, null, null, null, true, 0.1, 1e-5);
    }

    /**
     * Over each channel of each sample of [n, c, …]; all others [c] or null. With the input's statistics the running
     * ones are updated, else they are used. As {@code torch.nn.functional.instance_norm}.
     *
     * @param x
     *            [n, c, …]
     * @param runningMean
     *            [c], or null
     * @param runningVar
     *            [c], or null
     * @param weight
     *            factor [c], or null
     * @param bias
     *            summand [c], or null
     * @param useInputStatistics
     *            whether x's statistics are used, and the running ones updated; true by default
     * @param momentum
     *            share of x in an update; 0.1 by default
     * @param eps
     *            what keeps the divisor from 0; 1e-5 by default
     * @return a new tensor; [c] is repeated for each sample; backward keeps x and mean and inverse deviation of each of
     *         n c
     * @throws TensorException
     *             of less than two dimensions, or for one element a channel
     */
    public static Tensor instanceNorm(Tensor x, Tensor runningMean, Tensor runningVar, Tensor weight, Tensor bias,
            boolean useInputStatistics, double momentum, double eps) {
        return Calls.call(a -> InstanceNorm.of(a[0], a[1], a[2], a[3], a[4], useInputStatistics, momentum, eps), x,
                runningMean, runningVar, weight, bias);
    }

    /**
     * By the root of the mean square over the last dimensions, of those sizes; weight of that shape, or null. As
     * {@code torch.nn.functional.rms_norm}.
     *
     * @param x
     *            […, normalized shape]
     * @param normalizedShape
     *            the last sizes of x, over which the mean square is taken
     * @param weight
     *            factor of that shape, or null
     * @param eps
     *            what keeps the divisor from 0
     * @return a new tensor; backward keeps x, weight, and one number of each row
     * @throws TensorException
     *             if the shapes do not fit
     */
    public static Tensor rmsNorm(Tensor x, long[] normalizedShape, Tensor weight, double eps) {
        return Calls.call(a -> RmsNorm.of(a[0], normalizedShape, a[1], eps), x, weight);
    }

    /**
     * With alpha 1e-4, beta 0.75 and k 1. As {@code torch.nn.functional.local_response_norm}.
     *
     * @param x
     *            [n, c, …]
     * @param size
     *            how many neighbouring channels
     * @return a new tensor; composed: padded squares, their means and powers are tensors on the way, some kept for
     *         backward
     * @throws TensorException
     *             of less than three dimensions
     */
    public static Tensor localResponseNorm(Tensor x, long size) {
        return localResponseNorm(x, size, 1e-4, 0.75, 1);
    }

    /**
     * x over (k + alpha mean of the squares of size neighbouring channels)^beta; x is [n, c, …]. As
     * {@code torch.nn.functional.local_response_norm}.
     *
     * @param x
     *            [n, c, …]
     * @param size
     *            how many neighbouring channels
     * @param alpha
     *            factor of their mean square; 1e-4 by default
     * @param beta
     *            exponent; 0.75 by default
     * @param k
     *            summand; 1 by default
     * @return a new tensor; composed: padded squares, their means and powers are tensors on the way, some kept for
     *         backward
     * @throws TensorException
     *             of less than three dimensions
     */
    public static Tensor localResponseNorm(Tensor x, long size, double alpha, double beta, double k) {
        return Calls.call(a -> LocalResponseNorm.of(a[0], size, alpha, beta, k), x);
    }

    /**
     * Caffe's form for x [n, channels, h, w]: x over (k + alpha / size sum of their squares)^beta; computed on the
     * host. As {@code torch.nn.CrossMapLRN2d}.
     *
     * @param x
     *            [n, channels, h, w]
     * @param size
     *            how many neighbouring channels
     * @param alpha
     *            factor of the mean of their squares
     * @param beta
     *            exponent
     * @param k
     *            summand
     * @return a new tensor; backward keeps x, the result, and the scales, a tensor of x's size
     * @throws TensorException
     *             unless x has four dimensions
     */
    public static Tensor crossMapNorm(Tensor x, int size, double alpha, double beta, double k) {
        return Calls.call(a -> CrossMapNorm.of(a[0], size, alpha, beta, k), x);
    }

    /**
     * g v / |v|, the norm over all dimensions but one: PyTorch's {@code torch._weight_norm}. As
     * {@code torch._weight_norm}.
     *
     * @param v
     *            direction, of the weight's shape
     * @param g
     *            lengths, of size 1 in all dimensions but one
     * @param dim
     *            the dimension of its own lengths, -1 for one length of all
     * @return a new tensor of v's shape; backward keeps v, g and the norms
     */
    public static Tensor weightNorm(Tensor v, Tensor g, int dim) {
        return Calls.call(a -> WeightNorms.of(a[0], a[1], dim), v, g);
    }
}
