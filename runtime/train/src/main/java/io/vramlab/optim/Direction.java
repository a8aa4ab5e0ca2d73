package io.vramlab.optim;

import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.List;

/**
 * The name {@code grad} in PyTorch's optimizers: the gradients with their sign turned if the objective is to grow, and
 * with the weights' share if they decay. It holds what it is bound to until it is bound again.
 */
final class Direction implements AutoCloseable {

    private List<TensorImpl> held = List.of();

    /** What it is bound to, borrowed. */
    List<TensorImpl> get() {
        return held;
    }

    /** Binds it to tensors that the caller holds; what it was bound to goes. */
    void set(List<TensorImpl> next) {
        List<TensorImpl> old = held;
        held = next;
        Foreach.release(old);
    }

    /** The for-loop form: each line makes a new tensor and then binds the name to it. */
    void loop(ParamGroup group, LaunchGroup one, double decay) {
        set(signed(group, one));
        if (decay != 0) {
            set(Foreach.add(held, one.params, decay));
        }
    }

    /** The foreach form: what was negated is ours, so the decay is added in place. */
    void foreach(ParamGroup group, LaunchGroup batch, double decay) {
        set(signed(group, batch));
        if (decay != 0 && group.get("maximize") != 0) {
            Foreach.add_(held, batch.params, decay);
        } else if (decay != 0) {
            set(Foreach.add(held, batch.params, decay));
        }
    }

    private static List<TensorImpl> signed(ParamGroup group, LaunchGroup batch) {
        return group.get("maximize") != 0 ? Foreach.neg(batch.grads) : Foreach.retain(batch.grads);
    }

    @Override
    public void close() {
        set(List.of());
    }
}
