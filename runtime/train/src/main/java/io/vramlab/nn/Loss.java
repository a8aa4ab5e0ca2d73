package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.ops.loss.Reduction;

/** How far an output is from its target: a scalar, or one number per element or row with {@link Reduction#NONE}. */
public abstract class Loss {

    private final Reduction reduction;

    Loss(Reduction reduction) {
        this.reduction = reduction;
    }

    /** The loss; see the subclass for shapes. */
    public abstract Tensor call(Tensor input, Tensor target);

    /** How the parts are put together. */
    public final Reduction reduction() {
        return reduction;
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "()";
    }
}
