package io.vramlab.optim;

import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adam that waits with adapting its rates until their variance is known (Liu et al., 2019). Holds two tensors of each parameter's size; a
 * step takes one of all beside, in the for-loop form up to five of one.
 */
public final class RAdam extends FormedOptimizer {

    private static final String MEAN = "exp_avg";
    private static final String SQUARE = "exp_avg_sq";
    private static final double KNOWN = 5;

    /**
     * With PyTorch's default learning rate of 0.001.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    public RAdam(List<?> params) {
        this(params, 0.001);
    }

    /**
     * With that learning rate.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @param lr
     *            learning rate, 0 or more; 0.001 by default
     * @throws IllegalArgumentException
     *             if there are no parameters, one is no leaf or named twice, or lr is negative
     */
    public RAdam(List<?> params, double lr) {
        super(params, lr, defaults());
    }

    private static Map<String, Double> defaults() {
        Map<String, Double> defaults = new LinkedHashMap<>();
        defaults.put("beta1", 0.9);
        defaults.put("beta2", 0.999);
        defaults.put("eps", 1e-8);
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
    public RAdam beta1(double value) {
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
    public RAdam beta2(double value) {
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
    public RAdam eps(double value) {
        setting("eps", Settings.notNegative("eps", value));
        return this;
    }

    /**
     * Whether weight decay shrinks the parameters, as AdamW's does, and leaves the gradients.
     *
     * @param on
     *            false by default
     * @return this
     */
    public RAdam decoupledWeightDecay(boolean on) {
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
    public RAdam weightDecay(double value) {
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
    public RAdam maximize(boolean on) {
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
    public RAdam foreach(boolean on) {
        choose(on ? Form.FOREACH : Form.FOR_LOOP);
        return this;
    }

    @Override
    List<String> names(ParamGroup group) {
        return List.of(MEAN, SQUARE);
    }

    @Override
    void forLoop(ParamGroup group, LaunchGroup batch) {
        try (Name corrected = new Name(); Name gradient = new Name()) {
            for (LaunchGroup one : batch.singles()) {
                double step = count(one)[0];
                gradient.gradient(group, one, true);
                gradient.decay(one, decay(group, one));
                moments(group, one, gradient.get());
                corrected.bind(Foreach.div(one.all(MEAN), each(1 - Math.pow(group.get("beta1"), step))));
                double rectification = rectification(group.get("beta2"), step);
                try (Name change = new Name()) {
                    change.bind(Foreach.mul(corrected.get(), each(group.get("lr"))));
                    if (rectification > 0) {
                        adapt(group, one, change, step, rectification);
                    }
                    Foreach.add_(one.params, change.get(), -1);
                }
            }
        }
    }

    @Override
    void foreach(ParamGroup group, LaunchGroup batch) {
        double[] steps = count(batch);
        try (Name gradients = new Name()) {
            double decay = decay(group, batch);
            gradients.gradient(group, batch, true);
            if (decay != 0 && group.get("maximize") != 0) {
                Foreach.add_(gradients.get(), batch.params, decay);
            } else {
                gradients.decay(batch, decay);
            }
            moments(group, batch, gradients.get());
        }
        double[] plain = new double[steps.length];
        double[] adapted = new double[steps.length];
        for (int i = 0; i < steps.length; i++) {
            double rectification = rectification(group.get("beta2"), steps[i]);
            double rate = group.get("lr") / (1 - Math.pow(group.get("beta1"), steps[i]));
            plain[i] = rectification > 0 ? 0 : -rate;
            adapted[i] = -Math.sqrt(1 - Math.pow(group.get("beta2"), steps[i])) * rate * rectification;
        }
        try (Name buffer = new Name()) {
            buffer.bind(Foreach.sqrt(batch.all(SQUARE)));
            Foreach.add_(buffer.get(), group.get("eps"));
            Foreach.div_(buffer.get(), adapted);
            Foreach.reciprocal_(buffer.get());
            Foreach.add_(buffer.get(), plain);
            Foreach.addcmul_(batch.params, batch.all(MEAN), buffer.get(), 1);
        }
    }

    private static double[] each(double value) {
        return new double[]{value};
    }

    /** 0 while the variance of the adapted rates is unknown. */
    private static double rectification(double beta2, double step) {
        double most = 2 / (1 - beta2) - 1;
        double power = Math.pow(beta2, step);
        double now = most - 2 * step * power / (1 - power);
        return now > KNOWN
                ? Math.sqrt((now - 4) * (now - 2) * most / ((most - 4) * (most - 2) * now))
                : 0;
    }

    private static void adapt(ParamGroup group, LaunchGroup one, Name change, double step, double rectification) {
        double correction = Math.sqrt(1 - Math.pow(group.get("beta2"), step));
        try (Name inverse = new Name()) {
            List<TensorImpl> root = Foreach.sqrt(one.all(SQUARE));
            Foreach.add_(root, group.get("eps"));
            inverse.bind(Foreach.reciprocal(root));
            inverse.bind(Foreach.mul(inverse.get(), each(correction)));
            Foreach.release(root);
            change.bind(Foreach.mul(change.get(), inverse.get()));
        }
        change.bind(Foreach.mul(change.get(), each(rectification)));
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
