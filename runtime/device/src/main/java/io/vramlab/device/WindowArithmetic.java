package io.vramlab.device;

import java.util.Optional;

/** The part of {@link Kernels} that moves a two-dimensional window over images: convolutions and pooling. */
public interface WindowArithmetic {

    /**
     * What a two-dimensional window does.
     *
     * <p>
     * All numbers are in elements, the second of a pair along the last dimension; pooling ignores {@code groups}.
     *
     * @param kernelH
     *            height of the window
     * @param kernelW
     *            width of the window
     * @param strideH
     *            rows from one window to the next
     * @param strideW
     *            columns from one window to the next
     * @param padH
     *            rows added above, and as many below
     * @param padW
     *            columns added on the left, and as many on the right
     * @param dilationH
     *            rows from one element of the window to the next, 1 without dilation
     * @param dilationW
     *            columns from one element of the window to the next
     * @param groups
     *            into how many parts the channels fall that do not see each other; 1 for a plain convolution
     */
    record Window(int kernelH, int kernelW, int strideH, int strideW, int padH, int padW, int dilationH,
            int dilationW, int groups) {
    }

    /** {@return who computes convolutions where it can, or none: then it is {@link #conv2d} and its gradients} */
    default Optional<ConvolutionLibrary> convolutions() {
        return Optional.empty();
    }

    /**
     * Convolution of [n c h w] with [k c/groups kh kw]; bias [k] or null.
     *
     * @param out
     *            [n k oh ow], written
     * @param in
     *            [n c h w]
     * @param weight
     *            [k c/groups kh kw]
     * @param bias
     *            [k], or null
     * @param window
     *            its kernel sizes are the weight's
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void conv2d(Operand out, Operand in, Operand weight, Operand bias, Window window, long stream);

    /**
     * Gradient of {@link #conv2d} for its input.
     *
     * @param gradIn
     *            [n c h w], written
     * @param gradOut
     *            [n k oh ow]
     * @param weight
     *            [k c/groups kh kw]
     * @param window
     *            as in {@link #conv2d}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void conv2dBackwardInput(Operand gradIn, Operand gradOut, Operand weight, Window window, long stream);

    /**
     * Gradient of {@link #conv2d} for its weight.
     *
     * @param gradWeight
     *            [k c/groups kh kw], written
     * @param gradOut
     *            [n k oh ow]
     * @param in
     *            [n c h w]
     * @param window
     *            as in {@link #conv2d}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void conv2dBackwardWeight(Operand gradWeight, Operand gradOut, Operand in, Window window, long stream);

    /**
     * Largest of each window, with int64 indices into the h*w plane.
     *
     * @param out
     *            [n c oh ow], written
     * @param indices
     *            int64 [n c oh ow], written: h * width + w of the element that was largest
     * @param in
     *            [n c h w]; padding is never the largest
     * @param window
     *            which elements an output sees
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void maxPool2d(Operand out, Operand indices, Operand in, Window window, long stream);

    /**
     * Gradient of {@link #maxPool2d}; {@code gradIn} was zeroed by the caller.
     *
     * @param gradIn
     *            [n c h w], zeros; windows that share their largest element add up
     * @param gradOut
     *            [n c oh ow]
     * @param indices
     *            what {@link #maxPool2d} wrote
     * @param window
     *            as in {@link #maxPool2d}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void maxPool2dBackward(Operand gradIn, Operand gradOut, Operand indices, Window window, long stream);

    /**
     * Mean of each window; padding counts, as PyTorch's default.
     *
     * @param out
     *            [n c oh ow], written
     * @param in
     *            [n c h w]
     * @param window
     *            which elements an output sees
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void avgPool2d(Operand out, Operand in, Window window, long stream);

    /**
     * Gradient of {@link #avgPool2d}.
     *
     * @param gradIn
     *            [n c h w], written
     * @param gradOut
     *            [n c oh ow]
     * @param window
     *            as in {@link #avgPool2d}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void avgPool2dBackward(Operand gradIn, Operand gradOut, Window window, long stream);
}
