package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/** How far an output is from its target: a scalar, or one number per element or row with {@link Reduction#NONE}. */
public abstract class Loss {

    private final Reduction reduction;

    Loss(Reduction reduction) {
        this.reduction = reduction;
    }

    /**
     * {@return the loss: a scalar, or one number per element or row with {@link Reduction#NONE}}
     *
     * <p>
     * See the subclass for shapes.
     *
     * @param input
     *            what a model gave
     * @param target
     *            what it should have given; borrowed, as the input
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes or dtypes do not fit each other
     */
    public abstract Tensor call(Tensor input, Tensor target);

    /** {@return how the parts are put together} */
    public final Reduction reduction() {
        return reduction;
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "()";
    }
}
