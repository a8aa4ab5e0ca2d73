package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** [n, c, h r, w r] as [n, c r r, h, w]. Backward holds nothing. */
public class PixelUnshuffle extends Module {

    private final long factor;

    /**
     * With that setting.
     *
     * @param factor
     *            PyTorch's downscale_factor
     */
    public PixelUnshuffle(long factor) {
        this.factor = factor;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.pixelUnshuffle(input, factor);
    }

    @Override
    protected String extraRepr() {
        return "downscale_factor=" + factor;
    }
}
