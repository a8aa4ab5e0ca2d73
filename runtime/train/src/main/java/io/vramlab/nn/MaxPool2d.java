package io.vramlab.nn;

import io.vramlab.device.Kernels.Window;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** Largest of each window of [n, c, h, w]. Holds the input and int64 positions for backward. */
public final class MaxPool2d extends Module {

    private final Window window;

    /** Square windows side by side. */
    public MaxPool2d(int kernel) {
        this(kernel, kernel, 0);
    }

    /** Square windows with stride and padding. */
    public MaxPool2d(int kernel, int stride, int padding) {
        window = new Window(kernel, kernel, stride, stride, padding, padding, 1, 1, 1);
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.maxPool2d(input, window);
    }

    @Override
    protected String extraRepr() {
        return "kernel_size=" + window.kernelH() + ", stride=" + window.strideH() + ", padding=" + window.padH();
    }
}
