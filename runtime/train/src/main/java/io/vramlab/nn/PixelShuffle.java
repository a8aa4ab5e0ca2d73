package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** [n, c r r, h, w] as [n, c, h r, w r] (Shi et al., 2016). Backward holds nothing. */
public class PixelShuffle extends Module {

    private final long factor;

    /**
     * With that setting.
     *
     * @param factor
     *            PyTorch's upscale_factor
     */
    public PixelShuffle(long factor) {
        this.factor = factor;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.pixelShuffle(input, factor);
    }

    @Override
    protected String extraRepr() {
        return "upscale_factor=" + factor;
    }
}
