package io.vramlab.nn;

import io.vramlab.device.Kernels.Window;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * Convolution of [n, in, h, w] with [out, in, k, k], Kaiming-initialised as {@link Linear} is. What cuDNN takes as
 * workspace on a real PyTorch is not modelled.
 */
public final class Conv2d extends Module {

    /** [out, in, k, k]. */
    public final Parameter weight;
    /** [out], or null. */
    public final Parameter bias;
    private final Window window;

    /** Square kernel, stride 1, no padding. */
    public Conv2d(long in, long out, int kernel) {
        this(in, out, kernel, 1, 0);
    }

    /** Square kernel with stride and padding, and a bias. */
    public Conv2d(long in, long out, int kernel, int stride, int padding) {
        this(in, out, kernel, stride, padding, true);
    }

    /** Square kernel with stride and padding. */
    public Conv2d(long in, long out, int kernel, int stride, int padding, boolean bias) {
        double bound = 1 / Math.sqrt((double) in * kernel * kernel);
        this.weight = Init.uniform(bound, out, in, kernel, kernel);
        this.bias = bias ? Init.uniform(bound, out) : null;
        this.window = new Window(kernel, kernel, stride, stride, padding, padding, 1, 1, 1);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.conv2d(input, weight, bias, window);
    }

    @Override
    protected String extraRepr() {
        return weight.size(1) + ", " + weight.size(0) + ", kernel_size=" + window.kernelH() + ", stride="
                + window.strideH() + ", padding=" + window.padH();
    }
}
