package io.vramlab.optim;

import io.vramlab.device.DType;
import io.vramlab.tensor.Tensor;
import java.util.List;
import java.util.Map;

/**
 * Momentum whose step is made orthogonal by five Newton-Schulz iterations in bfloat16 (Jordan, 2024), for matrices only. Holds
 * one tensor of each parameter's size.
 */
public final class Muon extends CustomOptimizer {

    private static final double A = 3.4445;
    private static final double B = -4.7750;
    private static final double C = 2.0315;

    /** With PyTorch's default learning rate of 0.001 and weight decay of 0.1. */
    public Muon(List<? extends Tensor> params) {
        this(params, 1e-3);
    }

    /**
     * With that learning rate.
     *
     * @throws IllegalArgumentException
     *             if a parameter is no matrix
     */
    public Muon(List<? extends Tensor> params, double lr) {
        super(params, Map.of("lr", Settings.notNegative("learning rate", lr), "weight_decay", 0.1, "momentum", 0.95,
                "nesterov", 1.0, "eps", 1e-7, "ns_steps", 5.0, "match_rms_adamw", 0.0));
        for (Tensor p : params) {
            if (p.dim() != 2) {
                throw new IllegalArgumentException(
                        "Muon only supports 2D parameters, whereas we found a parameter with size: "
                                + java.util.Arrays.toString(p.shape()) + ". Give the others to AdamW.");
            }
        }
    }

    /** Weight decay; returns this. */
    public Muon weightDecay(double value) {
        setting("weight_decay", Settings.notNegative("weight_decay", value));
        return this;
    }

    /** How much of the momentum stays; returns this. */
    public Muon momentum(double value) {
        setting("momentum", Settings.notNegative("momentum", value));
        return this;
    }

    /** Whether the step looks ahead; returns this. */
    public Muon nesterov(boolean on) {
        setting("nesterov", on ? 1 : 0);
        return this;
    }

    /** Whether steps are scaled to the size of AdamW's instead of by the matrix's form; returns this. */
    public Muon matchRmsAdamw(boolean on) {
        setting("match_rms_adamw", on ? 1 : 0);
        return this;
    }

    @Override
    protected void update(ParamGroup group, Tensor param, Tensor grad, ParamState state) {
        double momentum = group.get("momentum");
        Tensor buffer = state.zeros("momentum_buffer", param);
        buffer.lerp_(grad, 1 - momentum);
        Tensor direction = group.get("nesterov") != 0 ? grad.lerp(buffer, momentum) : buffer;
        Tensor step = orthogonal(direction, (int) group.get("ns_steps"), group.get("eps"));
        double rows = param.size(0);
        double columns = param.size(1);
        double scale = group.get("match_rms_adamw") != 0
                ? 0.2 * Math.sqrt(Math.max(rows, columns))
                : Math.sqrt(Math.max(1, rows / columns));
        param.mul_(1 - group.get("lr") * group.get("weight_decay"));
        param.add_(step.to(param.dtype()), -group.get("lr") * scale);
    }

    private static Tensor orthogonal(Tensor direction, int steps, double eps) {
        boolean tall = direction.size(0) > direction.size(1);
        Tensor x = direction.bfloat16();
        x = tall ? x.t() : x;
        x = x.div(x.norm().clampMin(eps));
        for (int i = 0; i < steps; i++) {
            Tensor gram = x.matmul(x.t());
            Tensor update = gram.addmm(gram, gram, B, C);
            x = x.addmm(update, x, A, 1);
        }
        return tall ? x.t() : x;
    }
}
