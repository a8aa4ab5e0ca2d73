package io.vramlab.optim;

import io.vramlab.autograd.NoGrad;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.train.Foreach;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Averaged stochastic gradient descent (Polyak and Juditsky, 1992): the average of the parameters is the state's {@code ax}.
 * Holds one tensor of each parameter's size and three numbers on its device; the foreach form takes one of all
 * beside. That is 4 bytes per float32 element, and 512 for each scalar in the allocator.
 */
public final class ASGD extends FormedOptimizer {

    private static final String STEP = "step";
    private static final String ETA = "eta";
    private static final String MU = "mu";
    private static final String AVERAGE = "ax";

    /**
     * With PyTorch's default learning rate of 0.01.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    public ASGD(List<?> params) {
        this(params, 0.01);
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
    public ASGD(List<?> params, double lr) {
        super(params, lr, Map.of("lambd", 1e-4, "alpha", 0.75, "t0", 1e6));
    }

    /**
     * How fast parameters decay.
     *
     * @param value
     *            1e-4 by default
     * @return this
     */
    public ASGD lambd(double value) {
        setting("lambd", value);
        return this;
    }

    /**
     * Power of the decay of the learning rate.
     *
     * @param value
     *            0.75 by default
     * @return this
     */
    public ASGD alpha(double value) {
        setting("alpha", value);
        return this;
    }

    /**
     * The step from which on it averages.
     *
     * @param value
     *            1,000,000 by default
     * @return this
     */
    public ASGD t0(double value) {
        setting("t0", value);
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
    public ASGD weightDecay(double value) {
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
    public ASGD maximize(boolean on) {
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
    public ASGD foreach(boolean on) {
        choose(on ? Form.FOREACH : Form.FOR_LOOP);
        return this;
    }

    @Override
    List<String> names(ParamGroup group) {
        return List.of(STEP, ETA, MU, AVERAGE);
    }

    @Override
    void init(ParamGroup group, TensorImpl param, ParamState state) {
        if (!state.isEmpty()) {
            return;
        }
        // all or nothing: a step that runs out of memory here can be tried again
        try (NoGrad off = new NoGrad();
                Scope scope = Scope.inner();
                Tensor p = Local.on(param);
                Tensor step = p.newZeros();
                Tensor given = p.newFull(group.get("lr"));
                Tensor eta = given.clone()) {
            given.close();
            try (Tensor mu = p.newOnes(); Tensor average = p.zerosLike()) {
                state.set(STEP, step);
                state.set(ETA, eta);
                state.set(MU, mu);
                state.set(AVERAGE, average);
            }
        }
    }

    @Override
    void forLoop(ParamGroup group, LaunchGroup batch) {
        try (NoGrad off = new NoGrad(); Scope scope = Scope.inner(); Name gradient = new Name()) {
            for (LaunchGroup one : batch.singles()) {
                gradient.gradient(group, one, false);
                long step = one.states.getFirst().nextStep();
                Foreach.add_(one.all(STEP), 1);
                gradient.decay(one, group.get("weight_decay"));
                double eta = rate(group, step - 1);
                Foreach.mul_(one.params, 1 - group.get("lambd") * eta);
                Foreach.add_(one.params, gradient.get(), -eta);
                average(one, share(group, step - 1));
                Foreach.fill_(one.all(ETA), rate(group, step));
                Foreach.fill_(one.all(MU), share(group, step));
            }
        }
    }

    private static void average(LaunchGroup one, double mu) {
        Tensor param = Local.on(one.params.getFirst());
        Tensor average = one.states.getFirst().tensor(AVERAGE);
        if (mu == 1) {
            average.copy_(param);
        } else {
            try (Tensor way = param.sub(average)) {
                average.add_(way.mul_(mu));
            }
        }
    }

    @Override
    void foreach(ParamGroup group, LaunchGroup batch) {
        double[] steps = count(batch);
        double[] etas = Arrays.stream(steps).map(step -> -rate(group, step - 1)).toArray();
        double[] mus = Arrays.stream(steps).map(step -> share(group, step - 1)).toArray();
        double decay = group.get("weight_decay");
        double lambd = group.get("lambd");
        try (NoGrad off = new NoGrad();
                Scope scope = Scope.inner();
                Local newMus = new Local();
                Local newEtas = new Local();
                Name gradients = new Name()) {
            gradients.gradient(group, batch, true);
            Foreach.add_(batch.all(STEP), 1);
            try (Name way = new Name()) {
                if (decay != 0 && group.get("maximize") != 0) {
                    Foreach.add_(gradients.get(), batch.params, decay);
                    way.bind(Foreach.retain(gradients.get()));
                    Foreach.add_(way.get(), batch.params, lambd);
                } else if (decay != 0) {
                    way.bind(Foreach.add(gradients.get(), batch.params, decay));
                    Foreach.add_(way.get(), batch.params, lambd);
                } else {
                    way.bind(Foreach.add(gradients.get(), batch.params, lambd));
                }
                addEach(batch.params, way.get(), etas);
            }
            try (Name way = new Name()) {
                way.bind(Foreach.add(batch.params, batch.all(AVERAGE), -1));
                addEach(batch.all(AVERAGE), way.get(), mus);
            }
            newEtas.set(batch.states.stream().map(state -> rate(group, state.tensor(STEP))).toList());
            newMus.set(batch.states.stream().map(state -> state.tensor(STEP).newFull(share(group, state.step())))
                    .toList());
            for (int i = 0; i < steps.length; i++) {
                batch.states.get(i).tensor(ETA).copy_(newEtas.all().get(i));
                batch.states.get(i).tensor(MU).copy_(newMus.all().get(i));
            }
        }
    }
    /** Each plus a number of its own times another; PyTorch reads the number from a tensor, in one launch for all. */
    private static void addEach(List<TensorImpl> to, List<TensorImpl> of, double[] factors) {
        for (int i = 0; i < factors.length; i++) {
            Foreach.add_(List.of(to.get(i)), List.of(of.get(i)), factors[i]);
        }
    }

    /** The rate after so many steps; given ones before the first. */
    private static double rate(ParamGroup group, double step) {
        double lr = group.get("lr");
        return step == 0 ? lr : lr / Math.pow(1 + group.get("lambd") * lr * step, group.get("alpha"));
    }

    /** The same by operations on a tensor, as PyTorch's foreach form has it. */
    private static Tensor rate(ParamGroup group, Tensor step) {
        double lr = group.get("lr");
        try (Tensor product = step.mul(group.get("lambd") * lr); Tensor sum = product.add(1)) {
            product.close();
            try (Tensor power = sum.pow(group.get("alpha"))) {
                sum.close();
                try (Tensor reciprocal = power.reciprocal()) {
                    return reciprocal.mul(lr);
                }
            }
        }
    }

    /** How much the newest parameters count in the average. */
    private static double share(ParamGroup group, double step) {
        return 1 / Math.max(1, step - group.get("t0"));
    }
}
