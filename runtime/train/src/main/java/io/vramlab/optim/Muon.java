package io.vramlab.optim;

import io.vramlab.autograd.NoGrad;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import java.util.List;
import java.util.Map;

/**
 * Momentum whose step is made orthogonal by five Newton-Schulz iterations in bfloat16 (Jordan, 2024), for matrices only. Holds
 * one tensor of each parameter's size. There is no foreach form, in PyTorch neither.
 */
public final class Muon extends FormedOptimizer {

    private static final String BUFFER = "momentum_buffer";

    private static final double A = 3.4445;
    private static final double B = -4.7750;
    private static final double C = 2.0315;

    /**
     * With PyTorch's default learning rate of 0.001 and weight decay of 0.1.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice, or is no matrix
     */
    public Muon(List<?> params) {
        this(params, 1e-3);
    }

    /**
     * With that learning rate.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @param lr
     *            learning rate, 0 or more; 0.001 by default
     * @throws IllegalArgumentException
     *             if a parameter is no matrix
     */
    public Muon(List<?> params, double lr) {
        super(params, lr, Map.of("weight_decay", 0.1, "momentum", 0.95, "nesterov", 1.0, "eps", 1e-7, "ns_steps", 5.0,
                "match_rms_adamw", 0.0));
        choose(Form.FOR_LOOP);
        for (Tensor p : paramGroups().stream().flatMap(g -> g.params().stream()).toList()) {
            if (p.dim() != 2) {
                throw new IllegalArgumentException(
                        "Muon only supports 2D parameters, whereas we found a parameter with size: "
                                + java.util.Arrays.toString(p.shape()) + ". Give the others to AdamW.");
            }
        }
    }

    /**
     * Weight decay.
     *
     * @param value
     *            factor by which a step shrinks the parameters, times the rate; 0 or more, 0.1 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public Muon weightDecay(double value) {
        weightDecaySetting(value);
        return this;
    }

    /**
     * How much of the momentum stays.
     *
     * @param value
     *            0 or more; 0.95 by default
     * @return this
     * @throws IllegalArgumentException
     *             if it is negative
     */
    public Muon momentum(double value) {
        setting("momentum", Settings.notNegative("momentum", value));
        return this;
    }

    /**
     * Whether the step looks ahead.
     *
     * @param on
     *            true by default
     * @return this
     */
    public Muon nesterov(boolean on) {
        setting("nesterov", on ? 1 : 0);
        return this;
    }

    /**
     * Whether steps are scaled to the size of AdamW's instead of by the matrix's form.
     *
     * @param on
     *            false by default, which scales by the root of rows / columns if that is above 1
     * @return this
     */
    public Muon matchRmsAdamw(boolean on) {
        setting("match_rms_adamw", on ? 1 : 0);
        return this;
    }

    @Override
    List<String> names(ParamGroup group) {
        return List.of(BUFFER);
    }

    @Override
    void forLoop(ParamGroup group, LaunchGroup batch) {
        double momentum = group.get("momentum");
        try (NoGrad off = new NoGrad(); Scope scope = Scope.inner(); Local update = new Local()) {
            for (LaunchGroup one : batch.singles()) {
                one.states.getFirst().nextStep();
                Tensor param = Local.on(one.params.getFirst());
                Tensor grad = Local.on(one.grads.getFirst());
                Tensor buffer = Local.on(one.states.getFirst().get(BUFFER));
                buffer.lerp_(grad, 1 - momentum);
                update.set(group.get("nesterov") != 0 ? grad.lerp(buffer, momentum) : buffer);
                update.set(orthogonal(update.get(), (int) group.get("ns_steps"), group.get("eps")));
                double rows = param.size(0);
                double columns = param.size(1);
                double scale = group.get("match_rms_adamw") != 0
                        ? 0.2 * Math.sqrt(Math.max(rows, columns))
                        : Math.sqrt(Math.max(1, rows / columns));
                param.mul_(1 - group.get("lr") * group.get("weight_decay"));
                param.add_(update.get(), -group.get("lr") * scale);
            }
        }
    }

    @Override
    void foreach(ParamGroup group, LaunchGroup batch) {
        forLoop(group, batch);
    }

    private static Tensor orthogonal(Tensor direction, int steps, double eps) {
        boolean tall = direction.size(0) > direction.size(1);
        Tensor rounded = direction.bfloat16();
        try (Local x = new Local(); Local change = new Local(); Local gram = new Local()) {
            x.set(tall ? rounded.t() : rounded);
            try (Tensor norm = x.get().norm(); Tensor least = norm.clampMin(eps)) {
                x.get().div_(least);
                norm.close();
            }
            if (tall) {
                rounded.close();
            }
            for (int i = 0; i < steps; i++) {
                try (Tensor turned = x.get().t()) {
                    gram.set(x.get().matmul(turned));
                }
                change.set(gram.get().addmm(gram.get(), gram.get(), B, C));
                x.set(x.get().addmm(change.get(), x.get(), A, 1));
            }
            return tall ? x.get().t() : Local.on(x.get().impl());
        }
    }
}
