package io.vramlab.optim;

import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Steps of the size of the last steps, by moving averages of squares of both (Zeiler, 2012). Holds two tensors of each parameter's size; a
 * step takes two beside.
 */
public final class Adadelta extends FormedOptimizer {

    private static final String SQUARE = "square_avg";
    private static final String STEPS = "acc_delta";

    /**
     * With PyTorch's default learning rate of 1.0.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    public Adadelta(List<?> params) {
        this(params, 1.0);
    }

    /**
     * With that learning rate.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @param lr
     *            learning rate, 0 or more; 1.0 by default
     * @throws IllegalArgumentException
     *             if there are no parameters, one is no leaf or named twice, or lr is negative
     */
    public Adadelta(List<?> params, double lr) {
        super(params, lr, defaults());
    }

    private static Map<String, Double> defaults() {
        Map<String, Double> defaults = new LinkedHashMap<>();
        defaults.put("rho", 0.9);
        defaults.put("eps", 1e-6);
        return defaults;
    }

    /**
     * How much of the averages stays.
     *
     * @param value
     *            in [0, 1); 0.9 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is not in [0, 1)
     */
    public Adadelta rho(double value) {
        setting("rho", Settings.fraction("rho", value));
        return this;
    }

    /**
     * Starts the first steps.
     *
     * @param value
     *            0 or more; 1e-6 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public Adadelta eps(double value) {
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
    public Adadelta weightDecay(double value) {
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
    public Adadelta maximize(boolean on) {
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
    public Adadelta foreach(boolean on) {
        choose(on ? Form.FOREACH : Form.FOR_LOOP);
        return this;
    }

    @Override
    List<String> names(ParamGroup group) {
        return List.of(SQUARE, STEPS);
    }

    @Override
    void forLoop(ParamGroup group, LaunchGroup batch) {
        try (Name delta = new Name(); Name root = new Name(); Name gradient = new Name()) {
            for (LaunchGroup one : batch.singles()) {
                one.states.getFirst().nextStep();
                gradient.gradient(group, one, false);
                gradient.decay(one, group.get("weight_decay"));
                update(group, one, gradient.get(), root, delta);
            }
        }
    }

    @Override
    void foreach(ParamGroup group, LaunchGroup batch) {
        count(batch);
        try (Name gradients = new Name(); Name roots = new Name(); Name deltas = new Name()) {
            gradients(gradients, group, batch);
            update(group, batch, gradients.get(), roots, deltas);
        }
    }

    /** The same arithmetic in both forms, over one parameter or all. */
    private static void update(ParamGroup group, LaunchGroup batch, List<TensorImpl> gradients, Name roots,
            Name deltas) {
        double rho = group.get("rho");
        double eps = group.get("eps");
        Foreach.mul_(batch.all(SQUARE), rho);
        Foreach.addcmul_(batch.all(SQUARE), gradients, gradients, 1 - rho);
        roots.bind(Foreach.add(batch.all(SQUARE), eps));
        Foreach.sqrt_(roots.get());
        deltas.bind(Foreach.add(batch.all(STEPS), eps));
        Foreach.sqrt_(deltas.get());
        Foreach.div_(deltas.get(), roots.get());
        Foreach.mul_(deltas.get(), gradients);
        Foreach.mul_(batch.all(STEPS), rho);
        Foreach.addcmul_(batch.all(STEPS), deltas.get(), deltas.get(), 1 - rho);
        Foreach.add_(batch.params, deltas.get(), -group.get("lr"));
    }
}
