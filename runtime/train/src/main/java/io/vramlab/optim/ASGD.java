package io.vramlab.optim;

import io.vramlab.tensor.Tensor;
import java.util.List;
import java.util.Map;

/**
 * Averaged stochastic gradient descent (Polyak and Juditsky, 1992): the average of the parameters is the state's {@code ax}.
 * Holds one tensor of each parameter's size and three numbers on its device. One parameter after the other; PyTorch's foreach
 * form takes more.
 */
public final class ASGD extends CustomOptimizer {

    /** With PyTorch's default learning rate of 0.01. */
    public ASGD(List<? extends Tensor> params) {
        this(params, 0.01);
    }

    /** With that learning rate. */
    public ASGD(List<? extends Tensor> params, double lr) {
        super(params, Map.of("lr", Settings.notNegative("learning rate", lr), "lambd", 1e-4, "alpha", 0.75, "t0", 1e6,
                "weight_decay", 0.0, "maximize", 0.0));
    }

    /** How fast parameters decay; returns this. */
    public ASGD lambd(double value) {
        setting("lambd", value);
        return this;
    }

    /** Power of the decay of the learning rate; returns this. */
    public ASGD alpha(double value) {
        setting("alpha", value);
        return this;
    }

    /** The step from which on it averages; returns this. */
    public ASGD t0(double value) {
        setting("t0", value);
        return this;
    }

    /** Weight decay; returns this. */
    public ASGD weightDecay(double value) {
        setting("weight_decay", Settings.notNegative("weight_decay", value));
        return this;
    }

    /** Whether the objective is to grow; returns this. */
    public ASGD maximize(boolean on) {
        setting("maximize", on ? 1 : 0);
        return this;
    }

    @Override
    protected void update(ParamGroup group, Tensor param, Tensor grad, ParamState state) {
        if (state.tensor("step") == null) {
            state.set("step", param.newZeros());
            state.set("eta", param.newFull(group.get("lr")));
            state.set("mu", param.newOnes());
            state.zeros("ax", param);
        }
        Tensor direction = group.get("maximize") != 0 ? grad.neg() : grad;
        if (group.get("weight_decay") != 0) {
            direction = direction.add(param, group.get("weight_decay"));
        }
        // the numbers of the last step are known here, and written for whoever looks at the state
        long step = state.step();
        double eta = rate(group, step - 1);
        param.mul_(1 - group.get("lambd") * eta);
        param.add_(direction, -eta);
        double mu = 1 / Math.max(1, step - 1 - group.get("t0"));
        Tensor average = state.tensor("ax");
        if (mu == 1) {
            average.copy_(param);
        } else {
            average.add_(param.sub(average).mul_(mu));
        }
        state.tensor("step").fill_(step);
        state.tensor("eta").fill_(rate(group, step));
        state.tensor("mu").fill_(1 / Math.max(1, step - group.get("t0")));
    }

    private static double rate(ParamGroup group, long step) {
        double lr = group.get("lr");
        return step == 0 ? lr : lr / Math.pow(1 + group.get("lambd") * lr * step, group.get("alpha"));
    }
}
