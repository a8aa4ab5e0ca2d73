package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.ops.loss.Reduction;

/** A loss of three tensors: a scalar, or one number per element or row with {@link Reduction#NONE}. */
public abstract class Loss3 {

    private final Reduction reduction;

    Loss3(Reduction reduction) {
        this.reduction = reduction;
    }

    /** The loss; see the subclass for what is what. */
    public abstract Tensor call(Tensor first, Tensor second, Tensor third);

    /** How the parts are put together. */
    public final Reduction reduction() {
        return reduction;
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "()";
    }
}
