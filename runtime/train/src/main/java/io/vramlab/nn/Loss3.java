package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Reduction;

/** A loss of three tensors: a scalar, or one number per element or row with {@link Reduction#NONE}. */
public abstract class Loss3 {

    private final Reduction reduction;

    Loss3(Reduction reduction) {
        this.reduction = reduction;
    }

    /**
     * {@return the loss: a scalar, or one number per element or row with {@link Reduction#NONE}}
     *
     * <p>
     * See the subclass for what is what, and for shapes.
     *
     * @param first
     *            borrowed, as the others
     * @param second
     *            of a shape that fits the first's
     * @param third
     *            what the subclass says: a target, a variance, a negative example
     * @throws io.vramlab.tensor.type.TensorException
     *             if shapes or dtypes do not fit each other
     */
    public abstract Tensor call(Tensor first, Tensor second, Tensor third);

    /** {@return how the parts are put together} */
    public final Reduction reduction() {
        return reduction;
    }

    @Override
    public final String toString() {
        return getClass().getSimpleName() + "()";
    }
}
