package io.vramlab.optim;

import io.vramlab.tensor.Tensor;
import java.util.List;
import java.util.Map;

/**
 * Adam's second moments as a row and a column (Shazeer and Stern, 2018): of a matrix [m, n] it holds m + n numbers, of a vector as
 * many as it has.
 */
public final class Adafactor extends CustomOptimizer {

    /** With PyTorch's default learning rate of 0.01. */
    public Adafactor(List<? extends Tensor> params) {
        this(params, 1e-2);
    }

    /** With that learning rate. */
    public Adafactor(List<? extends Tensor> params, double lr) {
        super(params, Map.of("lr", Settings.notNegative("learning rate", lr), "beta2_decay", -0.8, "eps1", Double.NaN,
                "eps2", 1e-3, "d", 1.0, "weight_decay", 0.0, "maximize", 0.0));
    }

    /** Power of the step by which new squares count; returns this. */
    public Adafactor beta2Decay(double value) {
        setting("beta2_decay", value);
        return this;
    }

    /** Largest root mean square of a step; returns this. */
    public Adafactor d(double value) {
        setting("d", value);
        return this;
    }

    /** Weight decay; returns this. */
    public Adafactor weightDecay(double value) {
        setting("weight_decay", Settings.notNegative("weight_decay", value));
        return this;
    }

    /** Whether the objective is to grow; returns this. */
    public Adafactor maximize(boolean on) {
        setting("maximize", on ? 1 : 0);
        return this;
    }

    @Override
    protected void update(ParamGroup group, Tensor param, Tensor grad, ParamState state) {
        Tensor direction = group.get("maximize") != 0 ? grad.neg() : grad;
        double least = Double.isNaN(group.get("eps1")) ? epsilon(param) : group.get("eps1");
        double newShare = Math.pow(state.step(), group.get("beta2_decay"));
        double rho = Math.min(group.get("lr"), 1 / Math.sqrt(state.step()));
        // numbers stay on the device: nobody waits for them
        Tensor size = param.norm().div_(Math.sqrt(param.numel())).clampMin_(group.get("eps2")).mul_(rho);
        if (group.get("weight_decay") != 0) {
            param.mul_(1 - group.get("lr") * group.get("weight_decay"));
        }
        Tensor variance;
        if (grad.dim() > 1) {
            variance = factored(direction, state, newShare, least);
        } else {
            Tensor squares = state.zeros("variance", direction);
            squares.lerp_(direction.square(), newShare);
            variance = squares.clone();
        }
        Tensor update = variance.clampMin_(least * least).rsqrt_().mul_(direction);
        Tensor mean = update.norm().div_(Math.sqrt(update.numel()) * group.get("d")).clampMin_(1);
        param.sub_(update.mul_(size.div_(mean)));
    }

    private static Tensor factored(Tensor direction, ParamState state, double newShare, double least) {
        int last = direction.dim() - 1;
        Tensor rows = direction.norm(2., new int[]{last}, true).square_().div_(direction.size(last));
        Tensor columns = direction.norm(2., new int[]{last - 1}, true).square_().div_(direction.size(last - 1));
        state.zeros("row_var", rows).lerp_(rows, newShare);
        state.zeros("col_var", columns).lerp_(columns, newShare);
        Tensor product = state.tensor("row_var").matmul(state.tensor("col_var"));
        return product.div_(state.tensor("row_var").mean(new int[]{last - 1}, true).clampMin_(least));
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
