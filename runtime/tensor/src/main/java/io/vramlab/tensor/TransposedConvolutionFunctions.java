package io.vramlab.tensor;

import io.vramlab.tensor.internal.ops.window.Geometry;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s transposed convolutions: the gradient of a convolution for its input, as an operation. Memory
 * and refusals are those of {@link #conv2d(Tensor, Tensor)}.
 */
abstract sealed class TransposedConvolutionFunctions extends ConvolutionFunctions permits MaxPoolFunctions {

    /**
     * Gradient of a convolution for its input, as an operation: [n, in, length] with weight [in, out / groups, k]. As
     * {@code torch.nn.functional.conv_transpose1d}.
     *
     * @param x
     *            [n, in, length]
     * @param weight
     *            [in, out / groups, k]
     * @param bias
     *            [out], or null
     * @param stride
     *            how far the window's elements come to lie apart in the result
     * @param padding
     *            how much is cut from each side of the result
     * @param outputPadding
     *            further size on one side, less than stride or dilation; 0 by default
     * @param groups
     *            into how many the channels are parted, each for itself; 1 by default
     * @param dilation
     *            distance between the weight's elements; 1 by default
     * @return a new tensor [n, out, length']
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor convTranspose1d(Tensor x, Tensor weight, Tensor bias, long stride, long padding,
            long outputPadding, int groups, long dilation) {
        return convolve(x, weight, bias, Geometry.transposed(1, new long[]{stride}, new long[]{padding},
                new long[]{outputPadding}, groups, new long[]{dilation}));
    }

    /**
     * Of [n, in, h, w] with weight [in, out, kh, kw]. As {@code torch.nn.functional.conv_transpose2d}.
     *
     * @param x
     *            [n, in, h, w]
     * @param weight
     *            [in, out / groups, kh, kw]
     * @param bias
     *            [out], or null
     * @param stride
     *            how far the window's elements come to lie apart in the result
     * @param padding
     *            how much is cut from each side of the result
     * @return a new tensor [n, out, h', w']
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor convTranspose2d(Tensor x, Tensor weight, Tensor bias, long stride, long padding) {
        return convTranspose2d(x, weight, bias, new long[]{stride}, new long[]{padding}, ZERO, 1, ONE);
    }

    /**
     * With all, in PyTorch's order, each dimension its own: weight [in, out / groups, kh, kw]. As
     * {@code torch.nn.functional.conv_transpose2d}.
     *
     * @param x
     *            [n, in, h, w]
     * @param weight
     *            [in, out / groups, kh, kw]
     * @param bias
     *            [out], or null
     * @param stride
     *            how far the window's elements come to lie apart in the result
     * @param padding
     *            how much is cut from each side of the result
     * @param outputPadding
     *            further size on one side, less than stride or dilation; 0 by default
     * @param groups
     *            into how many the channels are parted, each for itself; 1 by default
     * @param dilation
     *            distance between the weight's elements; 1 by default
     * @return a new tensor [n, out, h', w']
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor convTranspose2d(Tensor x, Tensor weight, Tensor bias, long[] stride, long[] padding,
            long[] outputPadding, int groups, long[] dilation) {
        return convolve(x, weight, bias, Geometry.transposed(2, stride, padding, outputPadding, groups, dilation));
    }

    /**
     * Of [n, in, d, h, w] with weight [in, out / groups, kd, kh, kw]. As {@code torch.nn.functional.conv_transpose3d}.
     *
     * @param x
     *            [n, in, d, h, w]
     * @param weight
     *            [in, out / groups, kd, kh, kw]
     * @param bias
     *            [out], or null
     * @param stride
     *            how far the window's elements come to lie apart in the result
     * @param padding
     *            how much is cut from each side of the result
     * @param outputPadding
     *            further size on one side, less than stride or dilation; 0 by default
     * @param groups
     *            into how many the channels are parted, each for itself; 1 by default
     * @param dilation
     *            distance between the weight's elements; 1 by default
     * @return a new tensor [n, out, d', h', w']
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor convTranspose3d(Tensor x, Tensor weight, Tensor bias, long[] stride, long[] padding,
            long[] outputPadding, int groups, long[] dilation) {
        return convolve(x, weight, bias, Geometry.transposed(3, stride, padding, outputPadding, groups, dilation));
    }
}
