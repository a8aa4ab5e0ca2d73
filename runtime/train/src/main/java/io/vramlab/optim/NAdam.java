package io.vramlab.optim;

import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adam with Nesterov's momentum (Dozat, 2016). Holds two tensors of each parameter's size; a step takes one of all beside, in the for-loop
 * form up to three of one.
 */
public final class NAdam extends FormedOptimizer {

    private static final String MEAN = "exp_avg";
    private static final String SQUARE = "exp_avg_sq";
    private static final double HALF = 0.5;
    private static final double RISE = 0.96;

    /**
     * With PyTorch's default learning rate of 0.002.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    public NAdam(List<?> params) {
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
    public NAdam(List<?> params, double lr) {
        super(params, lr, defaults());
    }

    private static Map<String, Double> defaults() {
        Map<String, Double> defaults = new LinkedHashMap<>();
        defaults.put("beta1", 0.9);
        defaults.put("beta2", 0.999);
        defaults.put("eps", 1e-8);
        defaults.put("momentum_decay", 0.004);
        defaults.put("decoupled_weight_decay", 0.0);
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
    public NAdam beta1(double value) {
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
    public NAdam beta2(double value) {
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
    public NAdam eps(double value) {
        setting("eps", Settings.notNegative("eps", value));
        return this;
    }

    /**
     * How fast the momentum reaches its full size.
     *
     * @param value
     *            0 or more; 0.004 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public NAdam momentumDecay(double value) {
        setting("momentum_decay", Settings.notNegative("momentum_decay", value));
        return this;
    }

    /**
     * Whether weight decay shrinks the parameters, as AdamW's does, and leaves the gradients.
     *
     * @param on
     *            false by default
     * @return this
     */
    public NAdam decoupledWeightDecay(boolean on) {
        setting("decoupled_weight_decay", on ? 1 : 0);
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
    public NAdam weightDecay(double value) {
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
    public NAdam maximize(boolean on) {
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
    public NAdam foreach(boolean on) {
        choose(on ? Form.FOREACH : Form.FOR_LOOP);
        return this;
    }

    @Override
    List<String> names(ParamGroup group) {
        return List.of(MEAN, SQUARE);
    }

    @Override
    void forLoop(ParamGroup group, LaunchGroup batch) {
        try (Name root = new Name(); Name gradient = new Name()) {
            for (LaunchGroup one : batch.singles()) {
                Momenta m = momenta(group, one);
                gradient.gradient(group, one, true);
                gradient.decay(one, decay(group, one));
                moments(group, one, gradient.get());
                try (Name share = new Name()) {
                    share.bind(Foreach.div(one.all(SQUARE), m.corrections));
                    List<TensorImpl> fresh = Foreach.sqrt(share.get());
                    share.close();
                    root.bind(fresh);
                }
                Foreach.add_(root.get(), group.get("eps"));
                Foreach.addcdiv_(one.params, gradient.get(), root.get(), m.ofGradient);
                Foreach.addcdiv_(one.params, one.all(MEAN), root.get(), m.ofMean);
            }
        }
    }

    @Override
    void foreach(ParamGroup group, LaunchGroup batch) {
        Momenta m = momenta(group, batch);
        try (Name gradients = new Name(); Name roots = new Name()) {
            double decay = decay(group, batch);
            gradients.gradient(group, batch, true);
            if (decay != 0 && group.get("maximize") != 0) {
                Foreach.add_(gradients.get(), batch.params, decay);
            } else {
                gradients.decay(batch, decay);
            }
            moments(group, batch, gradients.get());
            roots.bind(Foreach.sqrt(batch.all(SQUARE)));
            Foreach.div_(roots.get(), Arrays.stream(m.corrections).map(Math::sqrt).toArray());
            Foreach.add_(roots.get(), group.get("eps"));
            Foreach.addcdiv_(batch.params, gradients.get(), roots.get(), m.ofGradient);
            Foreach.addcdiv_(batch.params, batch.all(MEAN), roots.get(), m.ofMean);
        }
    }

    /** What the formulas need of each parameter: correction of the square, factors of gradient and mean. */
    private record Momenta(double[] corrections, double[] ofGradient, double[] ofMean) {
    }

    private static double momentum(ParamGroup group, double step) {
        return group.get("beta1") * (1 - HALF * Math.pow(RISE, step * group.get("momentum_decay")));
    }

    private static Momenta momenta(ParamGroup group, LaunchGroup batch) {
        double[] steps = count(batch);
        double[] corrections = new double[steps.length];
        double[] ofGradient = new double[steps.length];
        double[] ofMean = new double[steps.length];
        double lr = group.get("lr");
        for (int i = 0; i < steps.length; i++) {
            // remembered, since a schedule may change beta1 from step to step
            Double before = batch.states.get(i).product();
            double product = (before == null ? 1 : before) * momentum(group, steps[i]);
            batch.states.get(i).product(product);
            double next = momentum(group, steps[i] + 1);
            corrections[i] = 1 - Math.pow(group.get("beta2"), steps[i]);
            ofGradient[i] = -lr * (1 - momentum(group, steps[i])) / (1 - product);
            ofMean[i] = -lr * next / (1 - product * next);
        }
        return new Momenta(corrections, ofGradient, ofMean);
    }

    /** The decay that goes into the gradients; a decoupled one shrinks the parameters instead, at once. */
    private static double decay(ParamGroup group, LaunchGroup batch) {
        double decay = group.get("weight_decay");
        if (decay != 0 && group.get("decoupled_weight_decay") != 0) {
            Foreach.mul_(batch.params, 1 - group.get("lr") * decay);
            return 0;
        }
        return decay;
    }

    private static void moments(ParamGroup group, LaunchGroup batch, List<TensorImpl> gradients) {
        double beta2 = group.get("beta2");
        Foreach.lerp_(batch.all(MEAN), gradients, 1 - group.get("beta1"));
        Foreach.mul_(batch.all(SQUARE), beta2);
        Foreach.addcmul_(batch.all(SQUARE), gradients, gradients, 1 - beta2);
    }
}
