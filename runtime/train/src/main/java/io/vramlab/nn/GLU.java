package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/**
 * The first half along a dimension, times the sigmoid of the second (Dauphin et al., 2016). Backward holds the input.
 * That dimension of the result is half as long.
 */
public class GLU extends Module {

    private final int dim;

    /** With PyTorch's default. */
    public GLU() {
        this(-1);
    }

    /**
     * With that setting.
     *
     * @param dim
     *            the dimension that is halved
     */
    public GLU(int dim) {
        this.dim = dim;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.glu(input, dim);
    }

    @Override
    protected String extraRepr() {
        return "dim=" + dim;
    }
}
