package io.vramlab.optim;

import io.vramlab.tensor.Tensor;
import java.util.List;
import java.util.Map;

/**
 * Steps by the sign of the gradient, longer while it stays, shorter when it turns (Riedmiller and Braun, 1993). Holds two tensors
 * of each parameter's size. One parameter after the other; PyTorch's foreach form takes more.
 */
public final class Rprop extends CustomOptimizer {

    /** With PyTorch's first step of 0.01. */
    public Rprop(List<? extends Tensor> params) {
        this(params, 0.01);
    }

    /** With that first step. */
    public Rprop(List<? extends Tensor> params, double lr) {
        super(params, Map.of("lr", Settings.notNegative("learning rate", lr), "eta_minus", 0.5, "eta_plus", 1.2,
                "step_min", 1e-6, "step_max", 50.0, "maximize", 0.0));
    }

    /** Factors when the sign turns and when it stays; returns this. */
    public Rprop etas(double minus, double plus) {
        if (!(0 < minus && minus < 1 && 1 < plus)) {
            throw new IllegalArgumentException("Invalid eta values: " + minus + ", " + plus
                    + ". The first lies between 0 and 1, the second above 1.");
        }
        setting("eta_minus", minus);
        setting("eta_plus", plus);
        return this;
    }

    /** The shortest and the longest step; returns this. */
    public Rprop stepSizes(double min, double max) {
        setting("step_min", min);
        setting("step_max", max);
        return this;
    }

    /** Whether the objective is to grow; returns this. */
    public Rprop maximize(boolean on) {
        setting("maximize", on ? 1 : 0);
        return this;
    }

    @Override
    protected void update(ParamGroup group, Tensor param, Tensor grad, ParamState state) {
        Tensor direction = group.get("maximize") != 0 ? grad.neg() : grad;
        Tensor before = state.zeros("prev", param);
        if (state.tensor("step_size") == null) {
            state.set("step_size", param.fullLike(group.get("lr")));
        }
        Tensor size = state.tensor("step_size");
        double minus = group.get("eta_minus");
        Tensor factor = direction.mul(before).sign();
        Tensor turned = factor.lt(0);
        factor.maskedFill_(factor.gt(0), group.get("eta_plus"));
        factor.maskedFill_(turned, minus);
        factor.maskedFill_(factor.eq(0), 1);
        size.mul_(factor).clamp_(group.get("step_min"), group.get("step_max"));
        Tensor kept = direction.clone();
        kept.maskedFill_(turned, 0);
        param.addcmul_(kept.sign(), size, -1);
        before.copy_(kept);
    }
}
