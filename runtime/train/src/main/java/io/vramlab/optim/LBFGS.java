package io.vramlab.optim;

import io.vramlab.autograd.EnableGrad;
import io.vramlab.autograd.NoGrad;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.internal.core.TensorImpl;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Newton's method with curvature from the last gradients (Liu and Nocedal, 1989), without a line search as PyTorch's default.
 * Keeps two vectors of all parameters for each of the last {@code historySize} iterations. A step needs the loss again and again:
 * {@link #step(Supplier)}. PyTorch's {@code LBFGS}; the current direction and the last gradient are two vectors more,
 * and each is 4 bytes per element of all parameters.
 */
public final class LBFGS extends Optimizer {

    private static final double CURVED = 1e-10;

    private final List<Tensor> parameters;
    private final List<Tensor> steps = new ArrayList<>();
    private final List<Tensor> changes = new ArrayList<>();
    private final List<Double> curvatures = new ArrayList<>();
    private Tensor direction;
    private Tensor before;
    private double scale = 1;
    private double length;
    private int iterations;

    /**
     * With PyTorch's default learning rate of 1.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @throws IllegalArgumentException
     *             if there are no parameters, or one is no leaf or named twice
     */
    public LBFGS(List<?> params) {
        this(params, 1);
    }

    /**
     * With that learning rate.
     *
     * @param params
     *            leaves, in order, each once; or {@link ParamGroup}s of them; held, and not closed
     * @param lr
     *            learning rate, 0 or more; 1 by default
     * @throws IllegalArgumentException
     *             if there are no parameters, one is no leaf or named twice, or lr is negative
     */
    public LBFGS(List<?> params, double lr) {
        super(params, Map.of("lr", Settings.notNegative("learning rate", lr), "max_iter", 20.0, "max_eval", 25.0,
                "tolerance_grad", 1e-7, "tolerance_change", 1e-9, "history_size", 100.0));
        if (paramGroups().size() > 1) {
            throw new IllegalArgumentException("LBFGS was given " + paramGroups().size()
                    + " groups: it doesn't support per-parameter options. Give it one list of parameters.");
        }
        parameters = paramGroups().getFirst().params();
    }

    /**
     * How many iterations a step may take.
     *
     * @param value
     *            20 by default; the loss is computed 5 / 4 times as often at most
     * @return this
     */
    public LBFGS maxIter(int value) {
        setting("max_iter", value);
        setting("max_eval", value * 5 / 4);
        return this;
    }

    /**
     * How many iterations are remembered.
     *
     * @param value
     *            100 by default; each takes two vectors of all parameters
     * @return this
     */
    public LBFGS historySize(int value) {
        setting("history_size", value);
        return this;
    }

    /**
     * The largest gradient that ends it.
     *
     * @param value
     *            largest element of the gradient; 1e-7 by default
     * @return this
     */
    public LBFGS toleranceGrad(double value) {
        setting("tolerance_grad", value);
        return this;
    }

    /**
     * The smallest change of loss or parameters that goes on.
     *
     * @param value
     *            1e-9 by default
     * @return this
     */
    public LBFGS toleranceChange(double value) {
        setting("tolerance_change", value);
        return this;
    }

    /**
     * Iterates. Waits for the device in every iteration.
     *
     * @param closure
     *            clears the gradients, computes the loss, calls backward on it and returns it
     * @return the first loss
     */
    public double step(Supplier<Tensor> closure) {
        ParamGroup group = paramGroups().getFirst();
        try (NoGrad off = new NoGrad()) {
            double first = loss(closure);
            double loss = first;
            int evaluations = 1;
            Tensor gradient = Scope.release(gathered());
            for (int n = 0; largest(gradient) > group.get("tolerance_grad") && n < (int) group.get("max_iter"); n++) {
                iterations++;
                turn(gradient, group);
                double slope = dot(gradient, direction);
                length = iterations == 1
                        ? Math.min(1, 1 / magnitude(gradient)) * group.get("lr")
                        : group.get("lr");
                if (slope > -group.get("tolerance_change")) {
                    break;
                }
                move(length);
                double last = loss;
                if (n + 1 < (int) group.get("max_iter")) {
                    loss = loss(closure);
                    evaluations++;
                    gradient.close();
                    gradient = Scope.release(gathered());
                }
                boolean small = largest(direction) * Math.abs(length) <= group.get("tolerance_change");
                if (evaluations >= group.get("max_eval") || small
                        || Math.abs(loss - last) < group.get("tolerance_change")) {
                    break;
                }
            }
            gradient.close();
            return first;
        }
    }

    private static double loss(Supplier<Tensor> closure) {
        try (EnableGrad on = new EnableGrad(); Tensor loss = closure.get()) {
            return loss.item();
        }
    }

    /** All gradients as one vector. */
    private Tensor gathered() {
        try (Scope scope = Scope.open()) {
            Tensor[] parts = parameters.stream().map(p -> {
                Tensor g = p.grad();
                return g == null ? p.zerosLike().flatten() : g.flatten();
            }).toArray(Tensor[]::new);
            return scope.keep(Tensor.cat(0, parts));
        }
    }

    /** The direction of the next step, from the gradients of the last ones. */
    private void turn(Tensor gradient, ParamGroup group) {
        try (Scope scope = Scope.open()) {
            Tensor next;
            if (iterations == 1) {
                next = gradient.neg();
            } else {
                Tensor change = gradient.sub(before);
                Tensor moved = direction.mul(length);
                double curvature = dot(change, moved);
                if (curvature > CURVED) {
                    if (steps.size() == (int) group.get("history_size")) {
                        steps.removeFirst().close();
                        changes.removeFirst().close();
                        curvatures.removeFirst();
                    }
                    steps.add(Scope.release(moved));
                    changes.add(Scope.release(change));
                    curvatures.add(1 / curvature);
                    scale = curvature / dot(change, change);
                }
                next = twoLoops(gradient);
            }
            Tensor old = gradient.clone();
            replace(next, old);
        }
    }

    private void replace(Tensor next, Tensor old) {
        if (direction != null) {
            direction.close();
            before.close();
        }
        direction = Scope.release(next);
        before = Scope.release(old);
    }

    private Tensor twoLoops(Tensor gradient) {
        Tensor q = gradient.neg();
        double[] shares = new double[steps.size()];
        for (int i = steps.size() - 1; i >= 0; i--) {
            shares[i] = dot(steps.get(i), q) * curvatures.get(i);
            q.add_(changes.get(i), -shares[i]);
        }
        q.mul_(scale);
        for (int i = 0; i < steps.size(); i++) {
            double back = dot(changes.get(i), q) * curvatures.get(i);
            q.add_(steps.get(i), shares[i] - back);
        }
        return q;
    }

    private void move(double by) {
        long from = 0;
        for (Tensor p : parameters) {
            long count = p.numel();
            try (Tensor part = direction.narrow(0, from, count); Tensor shaped = part.view(p.shape())) {
                p.add_(shaped, by);
            }
            from += count;
        }
    }

    private static double dot(Tensor a, Tensor b) {
        try (Tensor product = a.dot(b)) {
            return product.item();
        }
    }

    private static double largest(Tensor a) {
        try (Tensor size = a.abs(); Tensor most = size.max()) {
            return most.item();
        }
    }

    private static double magnitude(Tensor a) {
        try (Tensor size = a.abs(); Tensor sum = size.sum()) {
            return sum.item();
        }
    }

    @Override
    void init(ParamGroup group, TensorImpl param, ParamState state) {
        // the history is of all parameters together
    }

    @Override
    void forLoop(ParamGroup group, LaunchGroup batch) {
        throw new IllegalStateException(
                "LBFGS was asked for a step without a closure: it computes the loss several times. "
                        + "Call step(() -> { optimizer.zeroGrad(); Tensor loss = …; loss.backward(); return loss; }).");
    }

    @Override
    void foreach(ParamGroup group, LaunchGroup batch) {
        forLoop(group, batch);
    }

    @Override
    void fused(ParamGroup group, LaunchGroup batch, TensorImpl scaleOrNull, TensorImpl found) {
        forLoop(group, batch);
    }
}
