package io.vramlab.optim;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.sparse.Coalescing;
import io.vramlab.tensor.internal.ops.sparse.SparseRows;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adam for sparse gradients: only the moments and weights of the rows that have a gradient change. As {@code torch.optim.SparseAdam}.
 *
 * <p>
 * State: two tensors of each parameter's size. A step takes, of one parameter after the other, the merged rows and four times
 * their size beside; the rows are merged on the host, so the device is waited for.
 */
public final class SparseAdam extends FormedOptimizer {

    private static final String MEAN = "exp_avg";
    private static final String SQUARE = "exp_avg_sq";

    /**
     * With PyTorch's default learning rate of 0.001.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    public SparseAdam(List<?> params) {
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
    public SparseAdam(List<?> params, double lr) {
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
     * How much of the averages stays.
     *
     * @param beta1
     *            of the gradient's, in [0, 1); 0.9 by default
     * @param beta2
     *            of its square's, in [0, 1); 0.999 by default
     * @return this
     * @throws IllegalArgumentException
     *             if one is not in [0, 1)
     */
    public SparseAdam betas(double beta1, double beta2) {
        setting("beta1", Settings.fraction("beta1", beta1));
        setting("beta2", Settings.fraction("beta2", beta2));
        return this;
    }

    /**
     * What keeps the denominator from zero.
     *
     * @param value
     *            0 or more; 1e-8 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public SparseAdam eps(double value) {
        setting("eps", Settings.notNegative("eps", value));
        return this;
    }

    /**
     * Climbs instead of descending.
     *
     * @param on
     *            false by default; true costs a copy of one parameter's gradient
     * @return this
     */
    public SparseAdam maximize(boolean on) {
        maximizeSetting(on);
        return this;
    }

    @Override
    List<String> names(ParamGroup group) {
        return List.of(MEAN, SQUARE);
    }

    @Override
    void takes(TensorImpl grad) {
        if (!grad.isSparse()) {
            throw new IllegalStateException(
                    "SparseAdam does not support dense gradients, and one of its parameters has a "
                            + grad.describe() + ": please consider Adam instead, in an optimizer of its own.");
        }
    }

    @Override
    void foreach(ParamGroup group, LaunchGroup batch) {
        forLoop(group, batch);
    }

    /** PyTorch's _functional.sparse_adam, name by name: what a parameter's turn leaves goes when the next one takes the name. */
    @Override
    void forLoop(ParamGroup group, LaunchGroup batch) {
        try (Name indices = new Name();
                Name gradient = new Name();
                Name denominator = new Name();
                Name numerator = new Name();
                Name oldSquare = new Name();
                Name oldMean = new Name();
                Name values = new Name()) {
            for (LaunchGroup one : batch.singles()) {
                long step = one.states.getFirst().nextStep();
                gradient.gradient(group, one, false);
                TensorImpl grad = gradient.bind(List.of(Coalescing.of(gradient.get().getFirst()))).getFirst();
                indices.bind(List.of(grad.indices().retain()));
                TensorImpl rows = values.bind(List.of(grad.values().retain())).getFirst();
                if (rows.count() == 0) {
                    continue;
                }
                TensorImpl mean = one.all(MEAN).getFirst();
                TensorImpl square = one.all(SQUARE).getFirst();
                TensorImpl old = oldMean.bind(List.of(rowsOf(mean, grad))).getFirst();
                TensorImpl towards = SparseStep.fresh(ElementOp.SUB, rows, old, 1);
                try {
                    SparseStep.change(ElementOp.MUL_SCALAR, towards, 1 - group.get("beta1"));
                    SparseStep.add(mean, grad, towards.retain(), 1);
                    moveSquare(group, grad, square, oldSquare, denominator, () -> {
                        SparseStep.change(ElementOp.ADD, towards, old, 1);
                        numerator.bind(List.of(towards.retain()));
                    });
                } finally {
                    towards.release();
                }
                double rate = group.get("lr") * Math.sqrt(1 - Math.pow(group.get("beta2"), step))
                        / (1 - Math.pow(group.get("beta1"), step));
                TensorImpl top = numerator.get().getFirst();
                SparseStep.change(ElementOp.DIV, top, denominator.get().getFirst());
                SparseStep.add(one.params.getFirst(), grad, SparseStep.fresh(ElementOp.MUL_SCALAR, top, -rate), 1);
            }
        }
    }

    /** The average square moves; then the numerator is named, and the denominator made where the movement was. */
    private static void moveSquare(ParamGroup group, TensorImpl grad, TensorImpl square, Name oldSquare,
            Name denominator, Runnable nameNumerator) {
        TensorImpl old = oldSquare.bind(List.of(rowsOf(square, grad))).getFirst();
        TensorImpl towards = SparseStep.fresh(ElementOp.MUL, grad.values(), grad.values());
        try {
            SparseStep.change(ElementOp.SUB, towards, old, 1);
            SparseStep.change(ElementOp.MUL_SCALAR, towards, 1 - group.get("beta2"));
            SparseStep.add(square, grad, towards.retain(), 1);
            nameNumerator.run();
            SparseStep.change(ElementOp.ADD, towards, old, 1);
            SparseStep.change(ElementOp.SQRT, towards);
            SparseStep.change(ElementOp.ADD_SCALAR, towards, group.get("eps"));
            denominator.bind(List.of(towards.retain()));
        } finally {
            towards.release();
        }
    }

    private static TensorImpl rowsOf(TensorImpl whole, TensorImpl grad) {
        TensorImpl masked = SparseRows.mask(whole, grad);
        try {
            return masked.values().retain();
        } finally {
            masked.release();
        }
    }
}
