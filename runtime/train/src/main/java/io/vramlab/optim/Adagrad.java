package io.vramlab.optim;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.sparse.Coalescing;
import io.vramlab.tensor.internal.ops.sparse.SparseRows;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Divides each gradient by the root of the sum of all its squares (Duchi et al., 2011). Holds one tensor of each parameter's size, made with
 * the optimizer; a for-loop step takes one of the size of a parameter beside, a foreach step two of all.
 */
public final class Adagrad extends FormedOptimizer {

    private static final String SUM = "sum";

    /**
     * With PyTorch's default learning rate of 0.01.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if a device has no room for the sums, which are made now
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    public Adagrad(List<?> params) {
        this(params, 0.01);
    }

    /**
     * With that learning rate.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @param lr
     *            learning rate, 0 or more; 0.01 by default
     * @throws io.vramlab.memory.OutOfMemoryException
     *             if a device has no room for the sums, which are made now
     * @throws IllegalArgumentException
     *             if there are no parameters, one is no leaf or named twice, or lr is negative
     */
    public Adagrad(List<?> params, double lr) {
        super(params, lr, defaults());
        prepare();
    }

    private static Map<String, Double> defaults() {
        Map<String, Double> defaults = new LinkedHashMap<>();
        defaults.put("lr_decay", 0.0);
        defaults.put("eps", 1e-10);
        defaults.put("initial_accumulator_value", 0.0);
        return defaults;
    }

    /**
     * How fast the rate falls with the steps.
     *
     * @param value
     *            0 or more; 0, the default, for a constant rate
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public Adagrad lrDecay(double value) {
        setting("lr_decay", Settings.notNegative("lr_decay", value));
        return this;
    }

    /**
     * Keeps the denominator from 0.
     *
     * @param value
     *            0 or more; 1e-10 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public Adagrad eps(double value) {
        setting("eps", Settings.notNegative("eps", value));
        return this;
    }

    /**
     * What the sums start with.
     *
     * @param value
     *            0 or more; 0 by default. Sums that no step has changed are set to it
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public Adagrad initialAccumulatorValue(double value) {
        setting("initial_accumulator_value", Settings.notNegative("initial_accumulator_value", value));
        refill();
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
    public Adagrad weightDecay(double value) {
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
    public Adagrad maximize(boolean on) {
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
    public Adagrad foreach(boolean on) {
        choose(on ? Form.FOREACH : Form.FOR_LOOP);
        return this;
    }

    @Override
    List<String> names(ParamGroup group) {
        return List.of(SUM);
    }

    @Override
    double first(ParamGroup group, String name) {
        return group.get("initial_accumulator_value");
    }

    @Override
    void takes(TensorImpl grad) {
        // both kinds: rows of sparse gradients are merged, and only their sums and weights change
    }

    @Override
    void forLoop(ParamGroup group, LaunchGroup batch) {
        try (Name rootValues = new Name();
                Name root = new Name();
                Name values = new Name();
                Name indices = new Name();
                Name gradient = new Name()) {
            for (LaunchGroup one : batch.singles()) {
                double rate = rates(group, one)[0];
                gradient.gradient(group, one, false);
                TensorImpl grad = gradient.get().getFirst();
                if (!grad.isSparse()) {
                    gradient.decay(one, group.get("weight_decay"));
                    Foreach.addcmul_(one.all(SUM), gradient.get(), gradient.get(), 1);
                    root.bind(Foreach.sqrt(one.all(SUM)));
                    Foreach.add_(root.get(), group.get("eps"));
                    Foreach.addcdiv_(one.params, gradient.get(), root.get(), rate);
                    continue;
                }
                if (group.get("weight_decay") != 0) {
                    throw new IllegalStateException(
                            "weight_decay option is not compatible with sparse gradients: it is "
                                    + group.get("weight_decay") + ", and one of the parameters has a " + grad.describe()
                                    + ". Put that parameter into a ParamGroup of its own without decay.");
                }
                // the update is non-linear so indices must be unique
                TensorImpl merged = gradient.bind(List.of(Coalescing.of(grad))).getFirst();
                indices.bind(List.of(merged.indices().retain()));
                values.bind(List.of(merged.values().retain()));
                TensorImpl sum = one.all(SUM).getFirst();
                SparseStep.add(sum, merged, SparseStep.fresh(ElementOp.MUL, merged.values(), merged.values()), 1);
                TensorImpl std = root.bind(List.of(SparseRows.mask(sum, merged))).getFirst();
                rootValues.bind(List.of(std.values().retain()));
                SparseStep.change(ElementOp.SQRT, std.values());
                SparseStep.change(ElementOp.ADD_SCALAR, std.values(), group.get("eps"));
                SparseStep.add(one.params.getFirst(), merged,
                        SparseStep.fresh(ElementOp.DIV, merged.values(), std.values()), rate);
            }
        }
    }

    @Override
    void foreach(ParamGroup group, LaunchGroup batch) {
        if (batch.grads.stream().anyMatch(TensorImpl::isSparse)) {
            forLoop(group, batch);
            return;
        }
        try (Name gradients = new Name(); Name roots = new Name()) {
            double[] rates = rates(group, batch);
            gradients(gradients, group, batch);
            Foreach.addcmul_(batch.all(SUM), gradients.get(), gradients.get(), 1);
            roots.bind(Foreach.sqrt(batch.all(SUM)));
            Foreach.add_(roots.get(), group.get("eps"));
            if (owned(group)) {
                Foreach.mul_(gradients.get(), rates);
            } else {
                gradients.bind(Foreach.mul(gradients.get(), rates));
            }
            Foreach.addcdiv_(batch.params, gradients.get(), roots.get(), 1);
        }
    }

    /** The negated rate of each parameter's next step. */
    private static double[] rates(ParamGroup group, LaunchGroup batch) {
        return Arrays.stream(count(batch)).map(step -> -group.get("lr") / (1 + (step - 1) * group.get("lr_decay")))
                .toArray();
    }
}
