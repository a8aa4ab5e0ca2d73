package io.vramlab.optim;

import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Divides each gradient by the root of a moving average of its square (Hinton, 2012), with momentum and centring if wanted. Holds one
 * tensor of each parameter's size, one more with momentum, one more if centred; a step takes one of their size beside.
 */
public final class RMSprop extends FormedOptimizer {

    private static final String SQUARE = "square_avg";
    private static final String BUFFER = "momentum_buffer";
    private static final String MEAN = "grad_avg";

    /**
     * With PyTorch's default learning rate of 0.01.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    public RMSprop(List<?> params) {
        this(params, 0.01);
    }

    /**
     * With that learning rate.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @param lr
     *            learning rate, 0 or more; 0.01 by default
     * @throws IllegalArgumentException
     *             if there are no parameters, one is no leaf or named twice, or lr is negative
     */
    public RMSprop(List<?> params, double lr) {
        super(params, lr, defaults());
    }

    private static Map<String, Double> defaults() {
        Map<String, Double> defaults = new LinkedHashMap<>();
        defaults.put("alpha", 0.99);
        defaults.put("eps", 1e-8);
        defaults.put("momentum", 0.0);
        defaults.put("centered", 0.0);
        return defaults;
    }

    /**
     * How much of the average stays.
     *
     * @param value
     *            0 or more; 0.99 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public RMSprop alpha(double value) {
        setting("alpha", Settings.notNegative("alpha", value));
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
    public RMSprop eps(double value) {
        setting("eps", Settings.notNegative("eps", value));
        return this;
    }

    /**
     * Momentum.
     *
     * @param value
     *            0, the default, for none; otherwise each parameter has one more state tensor
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public RMSprop momentum(double value) {
        setting("momentum", Settings.notNegative("momentum", value));
        return this;
    }

    /**
     * Whether the average gradient is taken out of the square.
     *
     * @param on
     *            false by default; true costs one more state tensor per parameter, and is to be chosen before the
     *            first step
     * @return this
     */
    public RMSprop centered(boolean on) {
        setting("centered", on ? 1 : 0);
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
    public RMSprop weightDecay(double value) {
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
    public RMSprop maximize(boolean on) {
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
    public RMSprop foreach(boolean on) {
        choose(on ? Form.FOREACH : Form.FOR_LOOP);
        return this;
    }

    @Override
    List<String> names(ParamGroup group) {
        List<String> names = new ArrayList<>(List.of(SQUARE));
        if (group.get("momentum") > 0) {
            names.add(BUFFER);
        }
        if (group.get("centered") != 0) {
            names.add(MEAN);
        }
        return names;
    }

    @Override
    void forLoop(ParamGroup group, LaunchGroup batch) {
        try (Name average = new Name(); Name gradient = new Name()) {
            for (LaunchGroup one : batch.singles()) {
                one.states.getFirst().nextStep();
                gradient.gradient(group, one, false);
                gradient.decay(one, group.get("weight_decay"));
                update(group, one, gradient.get(), average);
            }
        }
    }

    @Override
    void foreach(ParamGroup group, LaunchGroup batch) {
        count(batch);
        try (Name gradients = new Name(); Name average = new Name()) {
            gradients(gradients, group, batch);
            update(group, batch, gradients.get(), average);
        }
    }

    /** The same arithmetic in both forms, over one parameter or all. */
    private static void update(ParamGroup group, LaunchGroup batch, List<TensorImpl> gradients, Name average) {
        double alpha = group.get("alpha");
        List<TensorImpl> squares = batch.all(SQUARE);
        Foreach.mul_(squares, alpha);
        Foreach.addcmul_(squares, gradients, gradients, 1 - alpha);
        if (group.get("centered") != 0) {
            List<TensorImpl> means = batch.all(MEAN);
            Foreach.lerp_(means, gradients, 1 - alpha);
            average.bind(Foreach.addcmul(squares, means, means, -1));
            Foreach.sqrt_(average.get());
        } else {
            average.bind(Foreach.sqrt(squares));
        }
        Foreach.add_(average.get(), group.get("eps"));
        double lr = group.get("lr");
        if (group.get("momentum") > 0) {
            List<TensorImpl> buffers = batch.all(BUFFER);
            Foreach.mul_(buffers, group.get("momentum"));
            Foreach.addcdiv_(buffers, gradients, average.get(), 1);
            Foreach.add_(batch.params, buffers, -lr);
        } else {
            Foreach.addcdiv_(batch.params, gradients, average.get(), -lr);
        }
    }
}
