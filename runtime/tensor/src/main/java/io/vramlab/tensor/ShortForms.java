package io.vramlab.tensor;

/**
 * {@link Functional}'s operations as PyTorch's are most often called: what is left out has the value that it has there. A method that is
 * defined with all settings elsewhere says what they mean.
 */
abstract class ShortForms extends AttentionFunctions {

    /** {@code elu} with PyTorch's defaults: alpha 1. */
    public static Tensor elu(Tensor x) {
        return Functional.elu(x, 1);
    }

    /** {@code celu} with PyTorch's defaults: alpha 1. */
    public static Tensor celu(Tensor x) {
        return Functional.celu(x, 1);
    }

    /** {@code glu} with PyTorch's defaults: the last dimension halved. */
    public static Tensor glu(Tensor x) {
        return Functional.glu(x, -1);
    }

    /** {@code hardtanh} with PyTorch's defaults: between -1 and 1. */
    public static Tensor hardtanh(Tensor x) {
        return Functional.hardtanh(x, -1, 1);
    }

    /** {@code softplus} with PyTorch's defaults: beta 1, threshold 20. */
    public static Tensor softplus(Tensor x) {
        return Functional.softplus(x, 1, 20);
    }

    /** {@code softshrink} with PyTorch's defaults: lambda 0.5. */
    public static Tensor softshrink(Tensor x) {
        return Functional.softshrink(x, 0.5);
    }

    /** {@code hardshrink} with PyTorch's defaults: lambda 0.5. */
    public static Tensor hardshrink(Tensor x) {
        return Functional.hardshrink(x, 0.5);
    }

    /** {@code rrelu} with PyTorch's defaults: slope of evaluation, the mean of 1/8 and 1/3. */
    public static Tensor rrelu(Tensor x) {
        return Functional.rrelu(x, 1. / 8, 1. / 3, false);
    }

    /** {@code gumbelSoftmax} with PyTorch's defaults: temperature 1 along the last dimension, soft. */
    public static Tensor gumbelSoftmax(Tensor logits) {
        return Functional.gumbelSoftmax(logits, 1, false, -1);
    }

    /** {@code dropout} with PyTorch's defaults: half of the elements, as in training. */
    public static Tensor dropout(Tensor x) {
        return Functional.dropout(x, 0.5, true);
    }

    /** {@code dropout} with PyTorch's defaults: as in training. */
    public static Tensor dropout(Tensor x, double p) {
        return Functional.dropout(x, p, true);
    }

    /** {@code dropout1d} with PyTorch's defaults: half of the channels, as in training. */
    public static Tensor dropout1d(Tensor x) {
        return Functional.dropout1d(x, 0.5, true);
    }

    /** {@code dropout2d} with PyTorch's defaults: half of the channels, as in training. */
    public static Tensor dropout2d(Tensor x) {
        return Functional.dropout2d(x, 0.5, true);
    }

    /** {@code dropout3d} with PyTorch's defaults: half of the channels, as in training. */
    public static Tensor dropout3d(Tensor x) {
        return Functional.dropout3d(x, 0.5, true);
    }

    /** {@code alphaDropout} with PyTorch's defaults: nothing dropped: PyTorch's default is evaluation. */
    public static Tensor alphaDropout(Tensor x) {
        return Functional.alphaDropout(x, 0.5, false);
    }

    /** {@code featureAlphaDropout} with PyTorch's defaults: nothing dropped: PyTorch's default is evaluation. */
    public static Tensor featureAlphaDropout(Tensor x) {
        return Functional.featureAlphaDropout(x, 0.5, false);
    }

    /** {@code layerNorm} with PyTorch's defaults: no weight and bias, eps 1e-5. */
    public static Tensor layerNorm(Tensor x, long... normalizedShape) {
        return Functional.layerNorm(x, normalizedShape, null, null, 1e-5);
    }

    /** {@code layerNorm} with PyTorch's defaults: eps 1e-5. */
    public static Tensor layerNorm(Tensor x, long[] normalizedShape, Tensor weight, Tensor bias) {
        return Functional.layerNorm(x, normalizedShape, weight, bias, 1e-5);
    }

    /** {@code groupNorm} with PyTorch's defaults: no weight and bias, eps 1e-5. */
    public static Tensor groupNorm(Tensor x, long groups) {
        return Functional.groupNorm(x, groups, null, null, 1e-5);
    }

    /** {@code groupNorm} with PyTorch's defaults: eps 1e-5. */
    public static Tensor groupNorm(Tensor x, long groups, Tensor weight, Tensor bias) {
        return Functional.groupNorm(x, groups, weight, bias, 1e-5);
    }

    /** {@code instanceNorm} with PyTorch's defaults: no weight and bias, statistics of the input, eps 1e-5. */
    public static Tensor instanceNorm(Tensor x) {
        return Functional.instanceNorm(x, null, null, null, null, true, 0.1, 1e-5);
    }

    /** {@code batchNorm} with PyTorch's defaults: by the running statistics, no weight and bias, eps 1e-5. */
    public static Tensor batchNorm(Tensor x, Tensor runningMean, Tensor runningVar) {
        return Functional.batchNorm(x, runningMean, runningVar, null, null, false, 0.1, 1e-5);
    }

    /** {@code batchNorm} with PyTorch's defaults: momentum 0.1, eps 1e-5. */
    public static Tensor batchNorm(Tensor x, Tensor runningMean, Tensor runningVar, Tensor weight, Tensor bias,
            boolean training) {
        return Functional.batchNorm(x, runningMean, runningVar, weight, bias, training, 0.1, 1e-5);
    }

    /** {@code linear} with PyTorch's defaults: no bias. */
    public static Tensor linear(Tensor x, Tensor weight) {
        return Functional.linear(x, weight, null);
    }

    /** {@code bilinear} with PyTorch's defaults: no bias. */
    public static Tensor bilinear(Tensor x1, Tensor x2, Tensor weight) {
        return Functional.bilinear(x1, x2, weight, null);
    }

    /** {@code embeddingBag} with PyTorch's defaults: the mean of each row of indices. */
    public static Tensor embeddingBag(Tensor index, Tensor weight) {
        return Functional.embeddingBag(index, weight, "mean");
    }

    /** {@code adaptiveAvgPool2d} with PyTorch's defaults: a square. */
    public static Tensor adaptiveAvgPool2d(Tensor x, long size) {
        return Functional.adaptiveAvgPool2d(x, size, size);
    }

    /** {@code adaptiveAvgPool3d} with PyTorch's defaults: a cube. */
    public static Tensor adaptiveAvgPool3d(Tensor x, long size) {
        return Functional.adaptiveAvgPool3d(x, size, size, size);
    }

    /** {@code adaptiveMaxPool2d} with PyTorch's defaults: a square. */
    public static Tensor adaptiveMaxPool2d(Tensor x, long size) {
        return Functional.adaptiveMaxPool2d(x, size, size);
    }

    /** {@code adaptiveMaxPool3d} with PyTorch's defaults: a cube. */
    public static Tensor adaptiveMaxPool3d(Tensor x, long size) {
        return Functional.adaptiveMaxPool3d(x, size, size, size);
    }

    /** {@code affineGrid} with PyTorch's defaults: corners are the pixels' outer ones. */
    public static Tensor affineGrid(Tensor theta, long... size) {
        return Functional.affineGrid(theta, size, false);
    }

    /** {@code unfold} with PyTorch's defaults: a square window, stride 1. */
    public static Tensor unfold(Tensor x, long kernel) {
        return Functional.unfold(x, new long[]{kernel, kernel}, new long[]{1, 1}, new long[]{0, 0}, new long[]{1, 1});
    }

    /** {@code unfold} with PyTorch's defaults: a square window. */
    public static Tensor unfold(Tensor x, long kernel, long dilation, long padding, long stride) {
        return Functional.unfold(x, new long[]{kernel, kernel}, new long[]{dilation, dilation},
                new long[]{padding, padding},
                new long[]{stride, stride});
    }

    /** {@code fold} with PyTorch's defaults: a square window, stride 1. */
    public static Tensor fold(Tensor x, long[] outputSize, long kernel) {
        return Functional.fold(x, outputSize, new long[]{kernel, kernel}, new long[]{1, 1}, new long[]{0, 0},
                new long[]{1, 1});
    }

    /** {@code fold} with PyTorch's defaults: a square window. */
    public static Tensor fold(Tensor x, long[] outputSize, long kernel, long dilation, long padding, long stride) {
        return Functional.fold(x, outputSize, new long[]{kernel, kernel}, new long[]{dilation, dilation},
                new long[]{padding, padding}, new long[]{stride, stride});
    }

    /** {@code lpPool1d} with PyTorch's defaults: windows side by side. */
    public static Tensor lpPool1d(Tensor x, double norm, long kernel) {
        return Functional.lpPool1d(x, norm, new long[]{kernel}, new long[]{kernel}, false);
    }

    /** {@code lpPool2d} with PyTorch's defaults: square windows side by side. */
    public static Tensor lpPool2d(Tensor x, double norm, long kernel) {
        return Functional.lpPool2d(x, norm, new long[]{kernel, kernel}, new long[]{kernel, kernel}, false);
    }

    /** {@code maxUnpool1d} with PyTorch's defaults: windows side by side. */
    public static Tensor maxUnpool1d(Tensor x, Tensor indices, long kernel) {
        return Functional.maxUnpool1d(x, indices, new long[]{kernel}, new long[]{kernel}, new long[]{0});
    }

    /** {@code maxUnpool2d} with PyTorch's defaults: square windows side by side. */
    public static Tensor maxUnpool2d(Tensor x, Tensor indices, long kernel) {
        return Functional.maxUnpool2d(x, indices, new long[]{kernel, kernel}, new long[]{kernel, kernel},
                new long[]{0, 0});
    }
}
