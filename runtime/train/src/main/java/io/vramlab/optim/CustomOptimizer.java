package io.vramlab.optim;

import io.vramlab.autograd.NoGrad;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.TensorImpl;
import java.util.List;
import java.util.Map;

/**
 * An optimizer of one's own: what {@link #update} does with a parameter and its gradient is the whole of it. It runs without
 * gradients, one parameter after the other, and what it makes on the way goes when it returns; what it is to remember it gives
 * to the state.
 *
 * <pre>{@code
 * class Momentum extends CustomOptimizer {
 *     Momentum(List<Parameter> params, double lr) {
 *         super(params, Map.of("lr", lr, "momentum", 0.9));
 *     }
 *     protected void update(ParamGroup group, Tensor param, Tensor grad, ParamState state) {
 *         Tensor velocity = state.zeros("velocity", param);
 *         velocity.mul_(group.get("momentum")).add_(grad);
 *         param.sub_(velocity, group.get("lr"));
 *     }
 * }
 * }</pre>
 */
public abstract class CustomOptimizer extends Optimizer {

    /**
     * An optimizer of those parameters, with these settings for groups that do not set them.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @param defaults
     *            settings by PyTorch's names, {@code lr} among them if a schedule is to change it
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    protected CustomOptimizer(List<?> params, Map<String, Double> defaults) {
        super(params, defaults);
        choose(Form.FOR_LOOP);
    }

    /**
     * Changes one parameter in place.
     *
     * @param group
     *            the settings
     * @param param
     *            whose values to change, by operations in place
     * @param grad
     *            the gradient, not to be changed
     * @param state
     *            what is remembered of the parameter; its {@link ParamState#step} counts this step already
     */
    protected abstract void update(ParamGroup group, Tensor param, Tensor grad, ParamState state);

    @Override
    final void init(ParamGroup group, TensorImpl param, ParamState state) {
        // made by update, when it first asks
    }

    @Override
    final void forLoop(ParamGroup group, LaunchGroup batch) {
        for (LaunchGroup one : batch.singles()) {
            try (NoGrad off = new NoGrad(); Scope scope = Scope.open()) {
                ParamState state = one.states.getFirst();
                state.nextStep();
                update(group, Tensor.wrap(one.params.getFirst().retain()), Tensor.wrap(one.grads.getFirst().retain()),
                        state);
            }
        }
    }

    @Override
    final void foreach(ParamGroup group, LaunchGroup batch) {
        forLoop(group, batch);
    }

    @Override
    final void fused(ParamGroup group, LaunchGroup batch, TensorImpl scale, TensorImpl found) {
        throw new IllegalStateException(getClass().getSimpleName() + " has no fused form");
    }
}
