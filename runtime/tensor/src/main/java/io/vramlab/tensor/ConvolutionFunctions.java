package io.vramlab.tensor;

import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.tensor.internal.ops.window.Convolutions;
import io.vramlab.tensor.internal.ops.window.Geometry;
import io.vramlab.tensor.internal.ops.window.Windows;
import io.vramlab.tensor.type.TensorException;

/**
 * {@link Functional}'s convolutions. Sizes of one dimension may be one number for all, or one each; n is the batch,
 * which may be left away. Each takes, besides its result, copies of what does not lie as the kernel wants it, and for
 * the while cuDNN's workspace (docs/footprint.md, "Convolutions"); backward keeps x and the weight. Under autocast they
 * run in its lower precision. All throw {@link TensorException} for shapes, channels or dtypes that do not fit, and for
 * kernels larger than the padded input.
 */
abstract sealed class ConvolutionFunctions extends ProductFunctions permits TransposedConvolutionFunctions {

    static final long[] ONE = {1};
    static final long[] ZERO = {0};

    static Tensor convolve(Tensor x, Tensor weight, Tensor bias, Geometry g) {
        return Calls.lower(a -> Convolutions.of(a[0], a[1], a[2], g), x, weight, bias);
    }

    private static Tensor convolve(int dims, Tensor x, Tensor weight, Tensor bias, long[] stride, String padding,
            long[] dilation, int groups) {
        return Calls.lower(a -> Convolutions.of(a[0], a[1], a[2], stride, padding, dilation, groups, dims), x, weight,
                bias);
    }

    /**
     * Convolution of [n, in, length] with weight [out, in, k]. As {@code torch.nn.functional.conv1d}.
     *
     * @param x
     *            [n, in, length] or [in, length]
     * @param weight
     *            [out, in / groups, k]
     * @return a new tensor [n, out, length']
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor conv1d(Tensor x, Tensor weight) {
        return conv1d(x, weight, null);
    }

    /**
     * Convolution of [n, in, length] with weight [out, in, k] and bias [out] or null. As
     * {@code torch.nn.functional.conv1d}.
     *
     * @param x
     *            [n, in, length] or [in, length]
     * @param weight
     *            [out, in / groups, k]
     * @param bias
     *            [out], or null; none by default
     * @return a new tensor [n, out, length']
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor conv1d(Tensor x, Tensor weight, Tensor bias) {
        return conv1d(x, weight, bias, 1, 0);
    }

    /**
     * With steps, and zeros on both sides. As {@code torch.nn.functional.conv1d}.
     *
     * @param x
     *            [n, in, length] or [in, length]
     * @param weight
     *            [out, in / groups, k]
     * @param bias
     *            [out], or null; none by default
     * @param stride
     *            step of the window; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @return a new tensor [n, out, length']
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor conv1d(Tensor x, Tensor weight, Tensor bias, long stride, long padding) {
        return conv1d(x, weight, bias, stride, padding, 1, 1);
    }

    /**
     * With all: weight [out, in / groups, k]. As {@code torch.nn.functional.conv1d}.
     *
     * @param x
     *            [n, in, length] or [in, length]
     * @param weight
     *            [out, in / groups, k]
     * @param bias
     *            [out], or null; none by default
     * @param stride
     *            step of the window; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @param dilation
     *            distance between the weight's elements; 1 by default
     * @param groups
     *            into how many the channels are parted, each for itself; 1 by default
     * @return a new tensor [n, out, length']
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor conv1d(Tensor x, Tensor weight, Tensor bias, long stride, long padding, long dilation,
            int groups) {
        return convolve(x, weight, bias, Geometry.of(1, new long[]{stride}, new long[]{padding}, new long[]{dilation},
                groups));
    }

    /**
     * With the padding as PyTorch's word, {@code same} or {@code valid}. As {@code torch.nn.functional.conv1d}.
     *
     * @param x
     *            [n, in, length] or [in, length]
     * @param weight
     *            [out, in / groups, k]
     * @param bias
     *            [out], or null; none by default
     * @param stride
     *            step of the window; 1 by default
     * @param padding
     *            {@code "valid"} for none, {@code "same"} for a result as long as x
     * @param dilation
     *            distance between the weight's elements; 1 by default
     * @param groups
     *            into how many the channels are parted, each for itself; 1 by default
     * @return a new tensor [n, out, length']
     * @throws TensorException
     *             if they do not fit; for another word; for {@code "same"} with a stride
     */
    public static Tensor conv1d(Tensor x, Tensor weight, Tensor bias, long stride, String padding, long dilation,
            int groups) {
        return convolve(1, x, weight, bias, new long[]{stride}, padding, new long[]{dilation}, groups);
    }

    /**
     * Convolution of [n, in, h, w] with weight [out, in, kh, kw]. As {@code torch.nn.functional.conv2d}.
     *
     * @param x
     *            [n, in, h, w] or [in, h, w]
     * @param weight
     *            [out, in / groups, kh, kw]
     * @return a new tensor [n, out, h', w'], channels last if x or the weight lies so
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor conv2d(Tensor x, Tensor weight) {
        return conv2d(x, weight, null);
    }

    /**
     * Convolution of [n, in, h, w] with weight [out, in, kh, kw] and bias [out] or null. As
     * {@code torch.nn.functional.conv2d}.
     *
     * @param x
     *            [n, in, h, w] or [in, h, w]
     * @param weight
     *            [out, in / groups, kh, kw]
     * @param bias
     *            [out], or null; none by default
     * @return a new tensor [n, out, h', w'], channels last if x or the weight lies so
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias) {
        return conv2d(x, weight, bias, ONE, ZERO, ONE, 1);
    }

    /**
     * Convolution of [n, c, h, w] with weight [k, c / groups, kh, kw] and bias [k] or null. As
     * {@code torch.nn.functional.conv2d}.
     *
     * @param x
     *            [n, in, h, w]
     * @param weight
     *            [out, in / groups, kh, kw]
     * @param bias
     *            [out], or null; none by default
     * @param window
     *            kernel, stride, padding, dilation and groups
     * @return a new tensor [n, out, h', w'], channels last if x or the weight lies so
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias, Window window) {
        return Calls.lower(a -> Windows.conv2d(a[0], a[1], a[2], window), x, weight, bias);
    }

    /**
     * With steps, and zeros on all sides. As {@code torch.nn.functional.conv2d}.
     *
     * @param x
     *            [n, in, h, w] or [in, h, w]
     * @param weight
     *            [out, in / groups, kh, kw]
     * @param bias
     *            [out], or null; none by default
     * @param stride
     *            step of the window; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @return a new tensor [n, out, h', w'], channels last if x or the weight lies so
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias, long stride, long padding) {
        return conv2d(x, weight, bias, stride, padding, 1, 1);
    }

    /**
     * With all: weight [out, in / groups, kh, kw]. As {@code torch.nn.functional.conv2d}.
     *
     * @param x
     *            [n, in, h, w] or [in, h, w]
     * @param weight
     *            [out, in / groups, kh, kw]
     * @param bias
     *            [out], or null; none by default
     * @param stride
     *            step of the window; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @param dilation
     *            distance between the weight's elements; 1 by default
     * @param groups
     *            into how many the channels are parted, each for itself; 1 by default
     * @return a new tensor [n, out, h', w'], channels last if x or the weight lies so
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias, long stride, long padding, long dilation,
            int groups) {
        return conv2d(x, weight, bias, new long[]{stride}, new long[]{padding}, new long[]{dilation}, groups);
    }

    /**
     * With all, each dimension its own. As {@code torch.nn.functional.conv2d}.
     *
     * @param x
     *            [n, in, h, w] or [in, h, w]
     * @param weight
     *            [out, in / groups, kh, kw]
     * @param bias
     *            [out], or null; none by default
     * @param stride
     *            step of the window; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @param dilation
     *            distance between the weight's elements; 1 by default
     * @param groups
     *            into how many the channels are parted, each for itself; 1 by default
     * @return a new tensor [n, out, h', w'], channels last if x or the weight lies so
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias, long[] stride, long[] padding, long[] dilation,
            int groups) {
        return convolve(x, weight, bias, Geometry.of(2, stride, padding, dilation, groups));
    }

    /**
     * With the padding as PyTorch's word, {@code same} or {@code valid}. As {@code torch.nn.functional.conv2d}.
     *
     * @param x
     *            [n, in, h, w] or [in, h, w]
     * @param weight
     *            [out, in / groups, kh, kw]
     * @param bias
     *            [out], or null; none by default
     * @param stride
     *            step of the window; 1 by default
     * @param padding
     *            {@code "valid"} for none, {@code "same"} for a result as large as x
     * @param dilation
     *            distance between the weight's elements; 1 by default
     * @param groups
     *            into how many the channels are parted, each for itself; 1 by default
     * @return a new tensor [n, out, h', w'], channels last if x or the weight lies so
     * @throws TensorException
     *             if they do not fit; for another word; for {@code "same"} with a stride
     */
    public static Tensor conv2d(Tensor x, Tensor weight, Tensor bias, long[] stride, String padding, long[] dilation,
            int groups) {
        return convolve(2, x, weight, bias, stride, padding, dilation, groups);
    }

    /**
     * Convolution of [n, in, d, h, w] with weight [out, in, kd, kh, kw] and bias [out] or null. As
     * {@code torch.nn.functional.conv3d}.
     *
     * @param x
     *            [n, in, d, h, w] or [in, d, h, w]
     * @param weight
     *            [out, in / groups, kd, kh, kw]
     * @param bias
     *            [out], or null; none by default
     * @return a new tensor [n, out, d', h', w']
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor conv3d(Tensor x, Tensor weight, Tensor bias) {
        return conv3d(x, weight, bias, ONE, ZERO, ONE, 1);
    }

    /**
     * With steps, and zeros on all sides. As {@code torch.nn.functional.conv3d}.
     *
     * @param x
     *            [n, in, d, h, w] or [in, d, h, w]
     * @param weight
     *            [out, in / groups, kd, kh, kw]
     * @param bias
     *            [out], or null; none by default
     * @param stride
     *            step of the window; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @return a new tensor [n, out, d', h', w']
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor conv3d(Tensor x, Tensor weight, Tensor bias, long stride, long padding) {
        return conv3d(x, weight, bias, new long[]{stride}, new long[]{padding}, ONE, 1);
    }

    /**
     * With all, each dimension its own. As {@code torch.nn.functional.conv3d}.
     *
     * @param x
     *            [n, in, d, h, w] or [in, d, h, w]
     * @param weight
     *            [out, in / groups, kd, kh, kw]
     * @param bias
     *            [out], or null; none by default
     * @param stride
     *            step of the window; 1 by default
     * @param padding
     *            zeros on each side; 0 by default
     * @param dilation
     *            distance between the weight's elements; 1 by default
     * @param groups
     *            into how many the channels are parted, each for itself; 1 by default
     * @return a new tensor [n, out, d', h', w']
     * @throws TensorException
     *             if they do not fit
     */
    public static Tensor conv3d(Tensor x, Tensor weight, Tensor bias, long[] stride, long[] padding, long[] dilation,
            int groups) {
        return convolve(x, weight, bias, Geometry.of(3, stride, padding, dilation, groups));
    }

    /**
     * With the padding as PyTorch's word, {@code same} or {@code valid}. As {@code torch.nn.functional.conv3d}.
     *
     * @param x
     *            [n, in, d, h, w] or [in, d, h, w]
     * @param weight
     *            [out, in / groups, kd, kh, kw]
     * @param bias
     *            [out], or null; none by default
     * @param stride
     *            step of the window; 1 by default
     * @param padding
     *            {@code "valid"} for none, {@code "same"} for a result as large as x
     * @param dilation
     *            distance between the weight's elements; 1 by default
     * @param groups
     *            into how many the channels are parted, each for itself; 1 by default
     * @return a new tensor [n, out, d', h', w']
     * @throws TensorException
     *             if they do not fit; for another word; for {@code "same"} with a stride
     */
    public static Tensor conv3d(Tensor x, Tensor weight, Tensor bias, long[] stride, String padding, long[] dilation,
            int groups) {
        return convolve(3, x, weight, bias, stride, padding, dilation, groups);
    }
}
