package io.vramlab.optim;

import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adam with the largest recent gradient in place of the root mean square (Kingma and Ba, 2015). Holds two tensors of each parameter's size; a step takes one beside.
 */
public final class Adamax extends FormedOptimizer {

    private static final String MEAN = "exp_avg";
    private static final String LARGEST = "exp_inf";

    /**
     * With PyTorch's default learning rate of 0.002.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    public Adamax(List<?> params) {
        this(params, 0.002);
    }

    /**
     * With that learning rate.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @param lr
     *            learning rate, 0 or more; 0.002 by default
     * @throws IllegalArgumentException
     *             if there are no parameters, one is no leaf or named twice, or lr is negative
     */
    public Adamax(List<?> params, double lr) {
        super(params, lr, defaults());
    }

    private static Map<String, Double> defaults() {
        Map<String, Double> defaults = new LinkedHashMap<>();
        defaults.put("beta1", 0.9);
        defaults.put("beta2", 0.999);
        defaults.put("eps", 1e-8);
        return defaults;
    }

    /**
     * How much of the average gradient stays.
     *
     * @param value
     *            in [0, 1); 0.9 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is not in [0, 1)
     */
    public Adamax beta1(double value) {
        setting("beta1", Settings.fraction("beta1", value));
        return this;
    }

    /**
     * How much of the average square stays.
     *
     * @param value
     *            in [0, 1); 0.999 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is not in [0, 1)
     */
    public Adamax beta2(double value) {
        setting("beta2", Settings.fraction("beta2", value));
        return this;
    }

    /**
     * Keeps the denominator from 0.
     *
     * @param value
     *            0 or more; 1e-8 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public Adamax eps(double value) {
        setting("eps", Settings.notNegative("eps", value));
        return this;
    }

    /**
     * Weight decay.
     *
     * @param value
     *            factor of the parameter that is added to its gradient, 0 or more; 0 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public Adamax weightDecay(double value) {
        weightDecaySetting(value);
        return this;
    }

    /**
     * Whether the objective is to grow.
     *
     * @param on
     *            false by default; true costs a temporary of the gradients' size, unless fused
     * @return this
     */
    public Adamax maximize(boolean on) {
        maximizeSetting(on);
        return this;
    }

    /**
     * One launch per operation for all parameters, or one parameter after the other.
     *
     * @param on
     *            by default it is true where all parameters with a gradient are floating tensors on GPUs
     * @return this
     */
    public Adamax foreach(boolean on) {
        choose(on ? Form.FOREACH : Form.FOR_LOOP);
        return this;
    }

    @Override
    List<String> names(ParamGroup group) {
        return List.of(MEAN, LARGEST);
    }

    @Override
    void forLoop(ParamGroup group, LaunchGroup batch) {
        try (Name gradient = new Name()) {
            for (LaunchGroup one : batch.singles()) {
                double[] rates = rates(group, one);
                gradient.gradient(group, one, false);
                gradient.decay(one, group.get("weight_decay"));
                Foreach.lerp_(one.all(MEAN), gradient.get(), 1 - group.get("beta1"));
                Foreach.mul_(one.all(LARGEST), group.get("beta2"));
                try (Name size = new Name()) {
                    size.bind(Foreach.abs(gradient.get()));
                    Foreach.add_(size.get(), group.get("eps"));
                    Foreach.maximum_(one.all(LARGEST), size.get());
                }
                Foreach.addcdiv_(one.params, one.all(MEAN), one.all(LARGEST), rates);
            }
        }
    }

    @Override
    void foreach(ParamGroup group, LaunchGroup batch) {
        double[] rates = rates(group, batch);
        try (Name gradients = new Name()) {
            gradients(gradients, group, batch);
            Foreach.lerp_(batch.all(MEAN), gradients.get(), 1 - group.get("beta1"));
            Foreach.mul_(batch.all(LARGEST), group.get("beta2"));
            if (owned(group)) {
                Foreach.abs_(gradients.get());
            } else {
                gradients.bind(Foreach.abs(gradients.get()));
            }
            Foreach.add_(gradients.get(), group.get("eps"));
            Foreach.maximum_(batch.all(LARGEST), gradients.get());
            Foreach.addcdiv_(batch.params, batch.all(MEAN), batch.all(LARGEST), rates);
        }
    }

    private static double[] rates(ParamGroup group, LaunchGroup batch) {
        return Arrays.stream(count(batch)).map(step -> -group.get("lr") / (1 - Math.pow(group.get("beta1"), step)))
                .toArray();
    }
}
