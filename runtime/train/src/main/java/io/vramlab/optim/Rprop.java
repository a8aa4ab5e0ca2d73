package io.vramlab.optim;

import io.vramlab.autograd.NoGrad;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.List;
import java.util.Map;

/**
 * Steps by the sign of the gradient, longer while it stays, shorter when it turns (Riedmiller and Braun, 1993). Holds two tensors
 * of each parameter's size; a step takes two of all beside, in the for-loop form up to three of one and one of the parameter before.
 */
public final class Rprop extends FormedOptimizer {

    private static final String BEFORE = "prev";
    private static final String SIZE = "step_size";

    /**
     * With PyTorch's first step of 0.01.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    public Rprop(List<?> params) {
        this(params, 0.01);
    }

    /**
     * With that first step.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @param lr
     *            size of the first steps, 0 or more; 0.01 by default
     * @throws IllegalArgumentException
     *             if there are no parameters, one is no leaf or named twice, or lr is negative
     */
    public Rprop(List<?> params, double lr) {
        super(params, lr, Map.of("eta_minus", 0.5, "eta_plus", 1.2, "step_min", 1e-6, "step_max", 50.0));
    }

    /**
     * Factors when the sign turns and when it stays.
     *
     * @param minus
     *            between 0 and 1; 0.5 by default
     * @param plus
     *            above 1; 1.2 by default
     * @return this
     * @throws IllegalArgumentException
     *             if one is outside of its range
     */
    public Rprop etas(double minus, double plus) {
        if (!(0 < minus && minus < 1 && 1 < plus)) {
            throw new IllegalArgumentException("Invalid eta values: " + minus + ", " + plus
                    + ". The first lies between 0 and 1, the second above 1.");
        }
        setting("eta_minus", minus);
        setting("eta_plus", plus);
        return this;
    }

    /**
     * The shortest and the longest step.
     *
     * @param min
     *            1e-6 by default
     * @param max
     *            50 by default
     * @return this
     */
    public Rprop stepSizes(double min, double max) {
        setting("step_min", min);
        setting("step_max", max);
        return this;
    }

    /**
     * Whether the objective is to grow.
     *
     * @param on
     *            false by default
     * @return this
     */
    public Rprop maximize(boolean on) {
        maximizeSetting(on);
        return this;
    }

    /**
     * One launch per operation for all parameters where there is one, or one parameter after the other.
     *
     * @param on
     *            by default it is true where all parameters with a gradient are floating tensors on GPUs
     * @return this
     */
    public Rprop foreach(boolean on) {
        choose(on ? Form.FOREACH : Form.FOR_LOOP);
        return this;
    }

    @Override
    List<String> names(ParamGroup group) {
        return List.of(BEFORE, SIZE);
    }

    @Override
    double first(ParamGroup group, String name) {
        return name.equals(SIZE) ? group.get("lr") : 0;
    }

    @Override
    void forLoop(ParamGroup group, LaunchGroup batch) {
        try (NoGrad off = new NoGrad();
                Scope scope = Scope.inner();
                Local sign = new Local();
                Local grad = new Local()) {
            for (LaunchGroup one : batch.singles()) {
                ParamState state = one.states.getFirst();
                state.nextStep();
                grad.set(Local.on(one.grads.getFirst()));
                if (group.get("maximize") != 0) {
                    grad.set(grad.get().neg());
                }
                factors(group, sign.set(sign(grad.get(), state.tensor(BEFORE))));
                state.tensor(SIZE).mul_(sign.get()).clamp_(group.get("step_min"), group.get("step_max"));
                grad.set(grad.get().clone());
                try (Tensor turned = sign.get().eq(group.get("eta_minus"))) {
                    grad.get().maskedFill_(turned, 0);
                }
                try (Tensor param = Local.on(one.params.getFirst()); Tensor way = grad.get().sign()) {
                    param.addcmul_(way, state.tensor(SIZE), -1);
                }
                state.tensor(BEFORE).copy_(grad.get());
            }
        }
    }

    @Override
    void foreach(ParamGroup group, LaunchGroup batch) {
        count(batch);
        boolean maximize = group.get("maximize") != 0;
        try (NoGrad off = new NoGrad();
                Scope scope = Scope.inner();
                Local ways = new Local();
                Local sign = new Local()) {
            try (Name signs = new Name()) {
                signs.bind(Foreach.mul(batch.grads, batch.all(BEFORE)));
                List<TensorImpl> before = batch.all(BEFORE);
                for (int i = 0; i < batch.size(); i++) {
                    batch.states.get(i).tensor(BEFORE).copy_(Local.on(batch.grads.get(i)));
                }
                if (maximize) {
                    Foreach.mul_(signs.get(), -1);
                    Foreach.mul_(before, -1);
                }
                Foreach.sign_(signs.get());
                for (TensorImpl each : signs.get()) {
                    factors(group, sign.set(Local.on(each)));
                }
                Foreach.mul_(batch.all(SIZE), signs.get());
                for (int i = 0; i < batch.size(); i++) {
                    batch.states.get(i).tensor(SIZE).clamp_(group.get("step_min"), group.get("step_max"));
                    try (Tensor ofIt = Local.on(signs.get().get(i))) {
                        forget(group, ofIt, batch.states.get(i).tensor(BEFORE));
                    }
                }
            }
            ways.set(batch.states.stream().map(state -> state.tensor(BEFORE).sign()).toList());
            for (int i = 0; i < batch.size(); i++) {
                Local.on(batch.params.get(i)).addcmul_(ways.all().get(i), batch.states.get(i).tensor(SIZE), -1);
            }
        }
    }

    private static Tensor sign(Tensor grad, Tensor before) {
        try (Tensor product = grad.mul(before)) {
            return product.sign();
        }
    }

    /** Signs become what the steps are multiplied by. */
    private static void factors(ParamGroup group, Tensor sign) {
        try (Tensor stays = sign.gt(0)) {
            sign.maskedFill_(stays, group.get("eta_plus"));
        }
        try (Tensor turned = sign.lt(0)) {
            sign.maskedFill_(turned, group.get("eta_minus"));
        }
        try (Tensor none = sign.eq(0)) {
            sign.maskedFill_(none, 1);
        }
    }

    /** Where the sign has turned, the gradient counts as 0, now and at the next step. */
    private static void forget(ParamGroup group, Tensor sign, Tensor grad) {
        try (Tensor turned = sign.eq(group.get("eta_minus")); Tensor kept = Tensor.where(turned, 0, grad)) {
            grad.copy_(kept);
            turned.close();
        }
    }
}
