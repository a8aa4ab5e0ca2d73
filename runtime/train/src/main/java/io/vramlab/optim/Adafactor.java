package io.vramlab.optim;

import io.vramlab.autograd.NoGrad;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.List;
import java.util.Map;

/**
 * Adam's second moments as a row and a column (Shazeer and Stern, 2018): of a matrix [m, n] it holds m + n numbers, of a vector as
 * many as it has. A step takes one tensor of a parameter's size, and holds that of the parameter before until it has its own; the foreach
 * form takes one of all.
 */
public final class Adafactor extends FormedOptimizer {

    private static final String ROWS = "row_var";
    private static final String COLUMNS = "col_var";
    private static final String VARIANCE = "variance";

    /**
     * With PyTorch's default learning rate of 0.01.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    public Adafactor(List<?> params) {
        this(params, 1e-2);
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
    public Adafactor(List<?> params, double lr) {
        super(params, lr, Map.of("beta2_decay", -0.8, "eps1", Double.NaN, "eps2", 1e-3, "d", 1.0));
        choose(Form.FOR_LOOP);
    }

    /**
     * Power of the step by which new squares count.
     *
     * @param value
     *            negative; -0.8 by default
     * @return this
     */
    public Adafactor beta2Decay(double value) {
        setting("beta2_decay", value);
        return this;
    }

    /**
     * Largest root mean square of a step.
     *
     * @param value
     *            1 by default
     * @return this
     */
    public Adafactor d(double value) {
        setting("d", value);
        return this;
    }

    /**
     * Weight decay.
     *
     * @param value
     *            factor by which a step shrinks the parameters, times the rate; 0 or more, 0 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public Adafactor weightDecay(double value) {
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
    public Adafactor maximize(boolean on) {
        maximizeSetting(on);
        return this;
    }

    /**
     * One launch per operation for all parameters where there is one, or, as it is at first, one parameter after the other.
     *
     * @param on
     *            false by default
     * @return this
     */
    public Adafactor foreach(boolean on) {
        choose(on ? Form.FOREACH : Form.FOR_LOOP);
        return this;
    }

    @Override
    List<String> names(ParamGroup group) {
        return List.of(ROWS, COLUMNS, VARIANCE);
    }

    @Override
    void init(ParamGroup group, TensorImpl param, ParamState state) {
        if (!state.isEmpty()) {
            return;
        }
        // all or nothing: a step that runs out of memory here can be tried again
        try (NoGrad off = new NoGrad(); Scope scope = Scope.inner(); Tensor p = Local.on(param)) {
            if (p.dim() < 2) {
                state.zeros(VARIANCE, p);
                return;
            }
            long[] rows = p.shape().clone();
            rows[rows.length - 1] = 1;
            long[] columns = p.shape().clone();
            columns[columns.length - 2] = 1;
            try (Tensor ofRows = p.newZeros(rows); Tensor ofColumns = p.newZeros(columns)) {
                state.set(ROWS, ofRows);
                state.set(COLUMNS, ofColumns);
            }
        }
    }

    @Override
    void forLoop(ParamGroup group, LaunchGroup batch) {
        try (NoGrad off = new NoGrad(); Scope scope = Scope.inner(); Variables v = new Variables()) {
            for (LaunchGroup one : batch.singles()) {
                ParamState state = one.states.getFirst();
                state.nextStep();
                Tensor param = Local.on(one.params.getFirst());
                v.grad.set(Local.on(one.grads.getFirst()));
                if (group.get("maximize") != 0) {
                    v.grad.set(v.grad.get().neg());
                }
                double alpha = alpha(group, param, state);
                decay(group, one);
                v.update.set(estimate(group, v, state).clampMin_(square(least(group, param))).rsqrt_());
                Tensor update = v.update.get().mul_(v.grad.get());
                param.add_(update, -alpha / denominator(group, update));
            }
        }
    }

    /** A new estimate of the squares of a parameter's gradient. */
    private static Tensor estimate(ParamGroup group, Variables v, ParamState state) {
        Tensor grad = v.grad.get();
        double share = share(group, state);
        if (grad.dim() < 2) {
            state.tensor(VARIANCE).lerp_(v.squares.set(grad.mul(grad)), share);
            return state.tensor(VARIANCE).clone();
        }
        state.tensor(ROWS).lerp_(v.rows.set(mean(grad, 1)), share);
        state.tensor(COLUMNS).lerp_(v.columns.set(mean(grad, 2)), share);
        Tensor product = state.tensor(ROWS).matmul(state.tensor(COLUMNS));
        try (Tensor mean = rowMean(state)) {
            return product.div_(mean.clampMin_(least(group, grad)));
        }
    }

    @Override
    void foreach(ParamGroup group, LaunchGroup batch) {
        try (NoGrad off = new NoGrad();
                Scope scope = Scope.inner();
                Local updates = new Local();
                Local gradients = new Local()) {
            for (LaunchGroup part : batch.parts(param -> param.shape().length > 1)) {
                count(part);
                gradients.set(part.grads.stream().map(Local::on).toList());
                if (group.get("maximize") != 0) {
                    gradients.set(gradients.all().stream().map(Tensor::neg).toList());
                }
                foreach(group, part, gradients.all(), updates);
            }
        }
    }

    private static void foreach(ParamGroup group, LaunchGroup part, List<Tensor> gradients, Local updates) {
        List<Tensor> params = part.params.stream().map(Local::on).toList();
        double[] alphas = new double[part.size()];
        for (int i = 0; i < alphas.length; i++) {
            alphas[i] = alpha(group, params.get(i), part.states.get(i));
        }
        decay(group, part);
        List<Tensor> fresh = params.getFirst().dim() > 1
                ? products(group, part.states, gradients)
                : clones(group, part.states, gradients);
        for (int i = 0; i < alphas.length; i++) {
            fresh.get(i).clampMin_(square(least(group, params.get(i)))).rsqrt_().mul_(gradients.get(i));
        }
        updates.set(fresh);
        for (int i = 0; i < alphas.length; i++) {
            params.get(i).add_(fresh.get(i), -alphas[i] / denominator(group, fresh.get(i)));
        }
    }

    private static List<Tensor> products(ParamGroup group, List<ParamState> states, List<Tensor> gradients) {
        fold(group, states, gradients, ROWS, 1);
        fold(group, states, gradients, COLUMNS, 2);
        List<Tensor> products = states.stream().map(s -> s.tensor(ROWS).matmul(s.tensor(COLUMNS))).toList();
        try (Local means = new Local()) {
            means.set(states.stream().map(Adafactor::rowMean).toList());
            for (int i = 0; i < products.size(); i++) {
                products.get(i).div_(means.all().get(i).clampMin_(least(group, gradients.get(i))));
            }
        }
        return products;
    }

    private static List<Tensor> clones(ParamGroup group, List<ParamState> states, List<Tensor> gradients) {
        try (Local squares = new Local()) {
            squares.set(gradients.stream().map(g -> g.mul(g)).toList());
            for (int i = 0; i < states.size(); i++) {
                states.get(i).tensor(VARIANCE).lerp_(squares.all().get(i), share(group, states.get(i)));
            }
        }
        return states.stream().map(s -> s.tensor(VARIANCE).clone()).toList();
    }

    private static void fold(ParamGroup group, List<ParamState> states, List<Tensor> gradients, String name,
            int fromLast) {
        try (Local means = new Local()) {
            means.set(gradients.stream().map(g -> mean(g, fromLast)).toList());
            for (int i = 0; i < states.size(); i++) {
                states.get(i).tensor(name).lerp_(means.all().get(i), share(group, states.get(i)));
            }
        }
    }

    /** What PyTorch's loop over parameters names, to be let go in this order. */
    private static final class Variables implements AutoCloseable {
        private final Local grad = new Local();
        private final Local rows = new Local();
        private final Local columns = new Local();
        private final Local squares = new Local();
        private final Local update = new Local();

        @Override
        public void close() {
            for (Local each : List.of(grad, rows, columns, squares, update)) {
                each.close();
            }
        }
    }

    /** The mean of the squares along a dimension counted from the last, without a tensor of the squares. */
    private static Tensor mean(Tensor grad, int fromLast) {
        int along = grad.dim() - fromLast;
        return grad.norm(2., new int[]{along}, true).square_().div_(grad.size(along));
    }

    private static Tensor rowMean(ParamState state) {
        Tensor rows = state.tensor(ROWS);
        return rows.mean(new int[]{rows.dim() - 2}, true);
    }

    private static double share(ParamGroup group, ParamState state) {
        return Math.pow(state.step(), group.get("beta2_decay"));
    }

    /** How far a step goes: by the size of the parameter. */
    private static double alpha(ParamGroup group, Tensor param, ParamState state) {
        double rho = Math.min(group.get("lr"), 1 / Math.sqrt(state.step()));
        return Math.max(group.get("eps2"), Local.number(param.norm()) / Math.sqrt(param.numel())) * rho;
    }

    private static double denominator(ParamGroup group, Tensor update) {
        return Math.max(1, Local.number(update.norm()) / (Math.sqrt(update.numel()) * group.get("d")));
    }

    private static void decay(ParamGroup group, LaunchGroup batch) {
        if (group.get("weight_decay") != 0) {
            Foreach.mul_(batch.params, 1 - group.get("lr") * group.get("weight_decay"));
        }
    }

    private static double square(double x) {
        return x * x;
    }

    /** Below this no estimate goes: what is set, or the dtype's epsilon. */
    private static double least(ParamGroup group, Tensor param) {
        return Double.isNaN(group.get("eps1")) ? epsilon(param) : group.get("eps1");
    }

    private static double epsilon(Tensor param) {
        return switch (param.dtype()) {
            case FLOAT64 -> 0x1p-52;
            case FLOAT16 -> 0x1p-10;
            case BFLOAT16 -> 0x1p-7;
            default -> 0x1p-23;
        };
    }
}
