package io.vramlab.optim;

import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import io.vramlab.tensor.internal.ops.train.Fused;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Stochastic gradient descent, with momentum and Nesterov's variant (Sutskever et al., "On the importance of
 * initialization and momentum in deep learning", 2013, in PyTorch's formulation). Momentum costs one buffer the size of
 * each parameter, made in the first step as a copy of the gradient.
 *
 * <p>
 * State: none without momentum; with it a buffer of each parameter's size, 4 bytes per float32 element. A foreach step
 * takes a temporary of all gradients' size with weight decay or maximize, else none; a for-loop step up to two of one
 * parameter's size with these or Nesterov's variant; a fused step none.
 */
public final class SGD extends Optimizer {

    private static final String BUFFER = "momentum_buffer";

    /**
     * Plain gradient descent with that learning rate.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @param lr
     *            learning rate, 0 or more
     * @throws IllegalArgumentException
     *             if there are no parameters, one is no leaf or named twice, or lr is negative
     */
    public SGD(List<?> params, double lr) {
        super(params, Map.of("lr", Settings.notNegative("lr", lr), "momentum", 0.0, "dampening", 0.0, "weight_decay",
                0.0, "nesterov", 0.0, "maximize", 0.0));
    }

    /**
     * Fraction of the former direction that is kept.
     *
     * @param value
     *            0, the default, for none; otherwise each parameter has a buffer of its size
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public SGD momentum(double value) {
        setting("momentum", Settings.notNegative("momentum", value));
        return this;
    }

    /**
     * Fraction of the gradient that momentum leaves out.
     *
     * @param value
     *            0 by default; not checked
     * @return this
     */
    public SGD dampening(double value) {
        setting("dampening", value);
        return this;
    }

    /**
     * L2 penalty, added to the gradient.
     *
     * @param value
     *            factor of the parameter that is added to its gradient, 0 or more; 0 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public SGD weightDecay(double value) {
        setting("weight_decay", Settings.notNegative("weight_decay", value));
        return this;
    }

    /**
     * Looks ahead along the momentum; needs momentum and no dampening.
     *
     * @param on
     *            false by default
     * @return this
     * @throws IllegalArgumentException
     *             if there is no momentum yet, or a dampening
     */
    public SGD nesterov(boolean on) {
        ParamGroup first = paramGroups().getFirst();
        if (on && (first.get("momentum") <= 0 || first.get("dampening") != 0)) {
            throw new IllegalArgumentException("nesterov was asked for with momentum=" + first.get("momentum")
                    + " and dampening=" + first.get("dampening")
                    + ": it requires a momentum and zero dampening. Call momentum(0.9) first.");
        }
        setting("nesterov", on ? 1 : 0);
        return this;
    }

    /**
     * Climbs instead of descending.
     *
     * @param on
     *            false by default; true costs a temporary of the gradients' size, unless fused
     * @return this
     */
    public SGD maximize(boolean on) {
        setting("maximize", on ? 1 : 0);
        return this;
    }

    /**
     * Foreach or for-loop.
     *
     * @param on
     *            by default it is true where all parameters with a gradient are floating tensors on GPUs
     * @return this
     */
    public SGD foreach(boolean on) {
        choose(on ? Form.FOREACH : Form.FOR_LOOP);
        return this;
    }

    /**
     * The fused form.
     *
     * @param on
     *            true for one launch over all parameters, without temporaries; false for foreach or for-loop, by the
     *            device
     * @return this
     */
    public SGD fused(boolean on) {
        choose(on ? Form.FUSED : Form.AUTOMATIC);
        return this;
    }

    @Override
    void takes(TensorImpl grad) {
        if (grad.isSparse() && form() == Form.FUSED) {
            throw new IllegalStateException(
                    "`_fused_sgd` does not support sparse gradients, and one of the parameters has a "
                            + grad.describe() + ": leave fused(true) out.");
        }
    }

    @Override
    void init(ParamGroup group, TensorImpl param, ParamState state) {
        // the buffer is a copy of the first gradient: nothing to make before it is used
    }

    @Override
    void forLoop(ParamGroup group, LaunchGroup batch) {
        try (Direction gradient = new Direction()) {
            for (LaunchGroup one : batch.singles()) {
                gradient.loop(group, one, group.get("weight_decay"));
                if (group.get("momentum") != 0) {
                    List<TensorImpl> buffers = momentum(group, one, gradient.get());
                    gradient.set(group.get("nesterov") != 0
                            ? Foreach.add(gradient.get(), buffers, group.get("momentum"))
                            : Foreach.retain(buffers));
                }
                Foreach.add_(one.params, gradient.get(), -group.get("lr"));
            }
        }
    }

    @Override
    void foreach(ParamGroup group, LaunchGroup batch) {
        try (Direction gradients = new Direction()) {
            gradients.foreach(group, batch, group.get("weight_decay"));
            if (group.get("momentum") != 0) {
                List<TensorImpl> buffers = momentum(group, batch, gradients.get());
                if (group.get("nesterov") != 0) {
                    // in place, even on the gradients themselves: so does PyTorch's foreach form
                    Foreach.add_(gradients.get(), buffers, group.get("momentum"));
                } else {
                    gradients.set(Foreach.retain(buffers));
                }
            }
            Foreach.add_(batch.params, gradients.get(), -group.get("lr"));
        }
    }

    private static List<TensorImpl> momentum(ParamGroup group, LaunchGroup batch, List<TensorImpl> grads) {
        double momentum = group.get("momentum");
        List<TensorImpl> buffers = new ArrayList<>(batch.size());
        List<TensorImpl> old = new ArrayList<>(batch.size());
        List<TensorImpl> incoming = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            ParamState state = batch.states.get(i);
            TensorImpl buffer = state.get(BUFFER);
            if (buffer == null) {
                state.put(BUFFER, Foreach.copy(List.of(grads.get(i))).getFirst());
                buffer = state.get(BUFFER);
            } else {
                old.add(buffer);
                incoming.add(grads.get(i));
            }
            buffers.add(buffer);
        }
        Foreach.mul_(old, momentum);
        Foreach.add_(old, incoming, 1 - group.get("dampening"));
        return buffers;
    }

    @Override
    void fused(ParamGroup group, LaunchGroup batch, TensorImpl scale, TensorImpl found) {
        boolean momentum = group.get("momentum") != 0;
        boolean first = false;
        if (momentum) {
            for (int i = 0; i < batch.size(); i++) {
                if (batch.states.get(i).get(BUFFER) == null) {
                    first = true;
                    batch.states.get(i).put(BUFFER, Foreach.emptyLike(batch.grads.get(i)));
                }
            }
        }
        Fused.sgd(batch.params, batch.grads, momentum ? batch.all(BUFFER) : null, new Fused.Sgd(group.get("lr"),
                group.get("momentum"), group.get("dampening"), group.get("weight_decay"), group.get("nesterov") != 0,
                group.get("maximize") != 0, first), scale, found);
    }
}
