package io.vramlab.nn;

import io.vramlab.device.Kernels.Window;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Mean of each window of [n, c, h, w]; padding counts. */
public final class AvgPool2d extends Module {

    private final Window window;

    /** Square windows side by side. */
    public AvgPool2d(int kernel) {
        this(kernel, kernel, 0);
    }

    /** Square windows with stride and padding. */
    public AvgPool2d(int kernel, int stride, int padding) {
        window = new Window(kernel, kernel, stride, stride, padding, padding, 1, 1, 1);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.avgPool2d(input, window);
    }

    @Override
    protected String extraRepr() {
        return "kernel_size=" + window.kernelH() + ", stride=" + window.strideH() + ", padding=" + window.padH();
    }
}
