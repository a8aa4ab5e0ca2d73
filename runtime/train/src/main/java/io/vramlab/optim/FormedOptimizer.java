package io.vramlab.optim;

import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the optimizers with a for-loop and a foreach form share: settings that every one has ({@code lr},
 * {@code weight_decay}, {@code maximize}) and state of the parameters' form, filled at the first step.
 */
abstract class FormedOptimizer extends Optimizer {

    FormedOptimizer(List<?> params, double lr, Map<String, Double> defaults) {
        super(params, with(lr, defaults));
    }

    private static Map<String, Double> with(double lr, Map<String, Double> defaults) {
        Map<String, Double> all = new LinkedHashMap<>(defaults);
        all.put("lr", Settings.notNegative("learning rate", lr));
        all.putIfAbsent("weight_decay", 0.0);
        all.put("maximize", 0.0);
        return all;
    }

    /** Names of the state's tensors, in the order in which they are made. */
    abstract List<String> names(ParamGroup group);

    /** What a tensor of the state starts with. */
    double first(ParamGroup group, String name) {
        return 0;
    }

    final void weightDecaySetting(double value) {
        setting("weight_decay", Settings.notNegative("weight_decay", value));
    }

    final void maximizeSetting(boolean on) {
        setting("maximize", on ? 1 : 0);
    }

    @Override
    void init(ParamGroup group, TensorImpl param, ParamState state) {
        List<String> names = names(group);
        if (!state.isEmpty()) {
            state.require(this, names);
            return;
        }
        // all or nothing: a step that runs out of memory here can be tried again
        List<TensorImpl> fresh = new ArrayList<>();
        try {
            for (int i = 0; i < names.size(); i++) {
                fresh.add(Foreach.emptyLike(param));
                Foreach.fill_(List.of(fresh.getLast()), first(group, names.get(i)));
            }
        } catch (RuntimeException e) {
            Foreach.release(fresh);
            throw e;
        }
        for (int i = 0; i < names.size(); i++) {
            state.put(names.get(i), fresh.get(i));
        }
    }

    /** Makes the state of all parameters before the first step, as an optimizer does whose constructor makes it. */
    final void prepare() {
        paramGroups().forEach(g -> g.params().forEach(p -> init(g, p.impl(), state(p))));
    }

    /** Gives the state its first value again, if no step was taken. */
    final void refill() {
        paramGroups().forEach(g -> g.params().stream().map(this::state).filter(s -> s.step() == 0)
                .forEach(s -> names(g).forEach(n -> Foreach.fill_(List.of(s.get(n)), first(g, n)))));
    }

    /** The foreach forms' gradients: new ones if their sign turns or the weights decay, else the parameters' own. */
    static void gradients(Name gradients, ParamGroup group, LaunchGroup batch) {
        double decay = group.get("weight_decay");
        gradients.gradient(group, batch, true);
        if (decay != 0 && group.get("maximize") != 0) {
            Foreach.add_(gradients.get(), batch.params, decay);
        } else {
            gradients.decay(batch, decay);
        }
    }

    /** Whether the foreach form's gradients are its own. */
    static boolean owned(ParamGroup group) {
        return group.get("weight_decay") != 0 || group.get("maximize") != 0;
    }

    /** One more step of each parameter; the counts. */
    static double[] count(LaunchGroup batch) {
        double[] steps = new double[batch.size()];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = batch.states.get(i).nextStep();
        }
        return steps;
    }

    @Override
    final void fused(ParamGroup group, LaunchGroup batch, TensorImpl scale, TensorImpl found) {
        throw new IllegalStateException(getClass().getSimpleName() + " has no fused form");
    }
}
