package io.vramlab.optim;

import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.List;

/**
 * A name in one of PyTorch's optimizers that is bound again in every round: what it is bound to lives until then, so it
 * counts in the peak of the next round.
 */
final class Name implements AutoCloseable {

    private List<TensorImpl> held = List.of();

    /** Binds it to tensors that the caller holds; what it was bound to goes. */
    List<TensorImpl> bind(List<TensorImpl> next) {
        List<TensorImpl> old = held;
        held = next;
        Foreach.release(old);
        return held;
    }

    /** What it is bound to, borrowed. */
    List<TensorImpl> get() {
        return held;
    }

    /**
     * Binds it to a parameter's gradient, its sign turned if the objective is to grow.
     *
     * @param atOnce
     *            whether the source says so in one line, {@code -grads[i] if maximize else grads[i]}: then the old gradient
     *            goes after the new one exists, not before
     */
    void gradient(ParamGroup group, LaunchGroup batch, boolean atOnce) {
        boolean maximize = group.get("maximize") != 0;
        if (!maximize || !atOnce) {
            bind(Foreach.retain(batch.grads));
        }
        if (maximize) {
            bind(Foreach.neg(atOnce ? batch.grads : held));
        }
    }

    /** Adds the weights' share to the gradient, as a new tensor. */
    void decay(LaunchGroup batch, double decay) {
        if (decay != 0) {
            bind(Foreach.add(held, batch.params, decay));
        }
    }

    @Override
    public void close() {
        bind(List.of());
    }
}
