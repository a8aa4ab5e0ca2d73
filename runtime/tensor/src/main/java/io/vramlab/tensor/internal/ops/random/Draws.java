package io.vramlab.tensor.internal.ops.random;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.RandomOp;
import io.vramlab.footprint.SelectionScratch;
import io.vramlab.device.ReduceOp;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.index.Sorts;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.reduce.Extremes;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.values.Elements;
import io.vramlab.tensor.internal.values.HostValues;
import io.vramlab.tensor.internal.values.NonZero;
import io.vramlab.tensor.type.Generator;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Random numbers of other distributions than uniform and normal, made from those in place. */
public final class Draws {

    private Draws() {
    }

    /** In place, with a gradient of zeros. */
    private static void fill(TensorImpl a, String name, Runnable fill) {
        InPlace.change(a, null, fill,
                () -> Graph.unbound(name, (n, g) -> new TensorImpl[]{Factories.zerosLike(g)}, a));
    }

    private static void each(TensorImpl a, ElementOp op, double... scalars) {
        Launch.into(op, scalars, a, a);
    }

    public static void bernoulli_(TensorImpl a, double p) {
        requireProbability(p);
        fill(a, "BernoulliBackward0", () -> Factories.fillRandom(RandomOp.BERNOULLI, a, p, 0));
    }

    private static void requireProbability(double p) {
        if (!(p >= 0 && p <= 1)) {
            throw new TensorException("bernoulli_ expects p to be in [0, 1], but got p=" + p + ".");
        }
    }

    /** 1 with the probability that each element says. */
    public static TensorImpl bernoulli(TensorImpl a) {
        TensorImpl out = TensorImpl.emptyStrided(a.device(), a.dtype(), a.shape(), Strides.like(a));
        try (Temps t = new Temps()) {
            t.own(out);
            Factories.fillRandom(RandomOp.UNIFORM, out, 0, 1);
            if (a.device().isCuda() && a.dtype() != DType.FLOAT32 && a.dtype() != DType.FLOAT64) {
                // PyTorch converts the probabilities
                TensorImpl.empty(a.device(), DType.FLOAT32, a.shape()).release();
            }
            // 1 - min(u / p, 1) is above 0 where u < p: the sign tells, without memory of its own
            Launch.into(ElementOp.SUB, new double[]{1}, out, out, a);
            each(out, ElementOp.NEG);
            each(out, ElementOp.SIGN);
            each(out, ElementOp.RELU);
            t.give(out);
        }
        if (Graph.wanted(a)) {
            Graph.recordUnary("BernoulliBackward0", out, a, (n, g) -> Factories.zerosLike(g));
        }
        return out;
    }

    public static void random_(TensorImpl a, long from, long to) {
        if (from >= to) {
            throw new TensorException(
                    "random_ expects 'from' to be less than 'to', but got from=" + from + " >= to=" + to
                            + ".");
        }
        fill(a, "RandomBackward0", () -> Factories.fillRandom(RandomOp.INTEGERS, a, from, to));
    }

    public static void exponential_(TensorImpl a, double rate) {
        fill(a, "ExponentialBackward0", () -> exponential(a, rate));
    }

    private static void exponential(TensorImpl a, double rate) {
        Factories.fillRandom(RandomOp.UNIFORM, a, 0, 1);
        each(a, ElementOp.RSUB_SCALAR, 1);
        each(a, ElementOp.LOG);
        each(a, ElementOp.MUL_SCALAR, -1 / rate);
    }

    public static void cauchy_(TensorImpl a, double median, double sigma) {
        fill(a, "CauchyBackward0", () -> {
            Factories.fillRandom(RandomOp.UNIFORM, a, -0.5, 0.5);
            each(a, ElementOp.MUL_SCALAR, Math.PI);
            each(a, ElementOp.TAN);
            each(a, ElementOp.MUL_SCALAR, sigma);
            each(a, ElementOp.ADD_SCALAR, median);
        });
    }

    public static void logNormal_(TensorImpl a, double mean, double std) {
        fill(a, "LogNormalBackward0", () -> {
            Factories.fillRandom(RandomOp.NORMAL, a, mean, std);
            each(a, ElementOp.EXP);
        });
    }

    public static void geometric_(TensorImpl a, double p) {
        fill(a, "GeometricBackward0", () -> {
            Factories.fillRandom(RandomOp.UNIFORM, a, 0, 1);
            each(a, ElementOp.RSUB_SCALAR, 1);
            each(a, ElementOp.LOG);
            each(a, ElementOp.MUL_SCALAR, 1 / Math.log1p(-p));
            each(a, ElementOp.CEIL);
        });
    }

    /** Numbers with those means and standard deviations. */
    public static TensorImpl normal(TensorImpl mean, TensorImpl std) {
        notNegative(std);
        long[] shape = Shape.broadcast(mean.shape(), std.shape(), "normal");
        TensorImpl out = TensorImpl.empty(mean.device(), mean.dtype(), shape);
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            t.own(out);
            notNegative(std);
            Factories.fillRandom(RandomOp.NORMAL, out, 0, 1);
            Launch.into(ElementOp.MUL, Launch.NONE, out, out, std);
            Launch.into(ElementOp.ADD, new double[]{1}, out, out, mean);
            return t.give(out);
        }
    }

    /** PyTorch looks at the smallest one. */
    private static void notNegative(TensorImpl std) {
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl least = t.own(Extremes.extreme(std, false, Reductions.ALL, false));
            TensorImpl fine = t.own(Elementwise.compare(ElementOp.GE_SCALAR, least, 0));
            if (fine.driver().holdsValues() && !Elements.truth(Elements.only(fine))) {
                throw new TensorException("normal expects all elements of std >= 0.0, but one is "
                        + Elements.real(Elements.only(least)) + ".");
            }
        }
    }

    /** How often something happens that happens that often on average; drawn on the host. */
    public static TensorImpl poisson(TensorImpl rates) {
        TensorImpl out = TensorImpl.empty(rates.device(), rates.dtype(), rates.shape());
        try (Temps t = new Temps()) {
            t.own(out);
            if (rates.driver().holdsValues() && rates.count() > 0) {
                SplittableRandom random = host(rates);
                double[] drawn = Arrays.stream(HostValues.doubles(rates)).map(rate -> poisson(random, rate)).toArray();
                Sorts.send(out, drawn);
            }
            t.give(out);
        }
        if (Graph.wanted(rates)) {
            Graph.recordUnary("PoissonBackward0", out, rates, (n, g) -> Factories.zerosLike(g));
        }
        return out;
    }

    private static SplittableRandom host(TensorImpl a) {
        Generator generator = Generator.of(a.device());
        return new SplittableRandom(generator.initialSeed() * 0x9E3779B97F4A7C15L + generator.take(a.count()));
    }

    private static double poisson(SplittableRandom random, double rate) {
        if (rate > 500) {
            return Math.max(0, Math.rint(rate + Math.sqrt(rate) * random.nextGaussian()));
        }
        double limit = Math.exp(-rate);
        int many = 0;
        for (double product = random.nextDouble(); product > limit; product *= random.nextDouble()) {
            many++;
        }
        return many;
    }

    /** So many column numbers of each row, as often as the row's weights say. */
    public static TensorImpl multinomial(TensorImpl a, long samples, boolean replacement) {
        if (a.rank() < 1 || a.rank() > 2 || samples <= 0 || !replacement && samples > a.size(-1)) {
            throw new TensorException("multinomial: " + samples + " samples were asked of weights of shape "
                    + Shape.text(a.shape()) + (replacement ? "" : " without replacement")
                    + ": weights have 1 or 2 dimensions, and cannot give more different samples than there are columns.");
        }
        long[] shape = a.shape().clone();
        shape[shape.length - 1] = samples;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            TensorImpl out = t.own(TensorImpl.empty(a.device(), DType.INT64, shape));
            if (!replacement || samples == 1) {
                // one draw is the same either way
                check(t, a);
                TensorImpl q = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
                exponential(q, 1);
                Launch.into(ElementOp.DIV, Launch.NONE, q, a, q);
                largest(t, q, out, samples);
            } else {
                try (Temps u = new Temps()) {
                    for (int i = 0; i < 3; i++) {
                        u.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
                    }
                    if (a.count() == a.size(-1)) {
                        // the running sum of one row alone is CUB's
                        Scratch.pass(a, device -> SelectionScratch.scan(a.count(), a.dtype().bytes()));
                    }
                    if (a.driver().holdsValues()) {
                        NonZero.send(out, drawn(a, samples));
                    }
                }
            }
            return t.give(out);
        }
    }

    private static void largest(Temps t, TensorImpl q, TensorImpl out, long samples) {
        if (samples == 1) {
            q.driver().kernels().reduce(ReduceOp.ARGMAX, out.operand(), q.operand(), q.stream());
            return;
        }
        TensorImpl values = t.own(TensorImpl.empty(q.device(), q.dtype(), out.shape()));
        q.driver().kernels().topk(values.operand(), out.operand(), q.operand(), true, q.stream());
        t.free(values);
    }

    /** What PyTorch looks at first: that weights are finite and not negative, and that no row is zero. */
    private static void check(Temps t, TensorImpl a) {
        TensorImpl valid;
        try (Temps u = new Temps()) {
            TensorImpl most = u.own(Extremes.extreme(a, true, Reductions.ALL, false));
            TensorImpl finite = u.own(Elementwise.compare(ElementOp.LT_SCALAR, most, Double.POSITIVE_INFINITY));
            TensorImpl least = u.own(Extremes.extreme(a, false, Reductions.ALL, false));
            TensorImpl positive = u.own(Elementwise.compare(ElementOp.GE_SCALAR, least, 0));
            valid = t.own(Launch.binary(ElementOp.AND, finite, positive, DType.BOOL));
        }
        refuse(valid, true, "probability tensor contains either `inf`, `nan` or element < 0");
        TensorImpl empty;
        try (Temps u = new Temps()) {
            TensorImpl sums = u.own(Sums.sum(a, new int[]{-1}, false));
            TensorImpl none = u.own(Elementwise.compare(ElementOp.EQ_SCALAR, sums, 0));
            empty = t.own(Reductions.truth(none, false, Reductions.ALL, false));
        }
        try (Temps u = new Temps()) {
            u.own(Launch.unary(ElementOp.NOT, empty, DType.BOOL));
        }
        refuse(empty, false, "invalid multinomial distribution (sum of probabilities <= 0)");
    }

    private static void refuse(TensorImpl truth, boolean wanted, String what) {
        if (truth.driver().holdsValues() && Elements.truth(Elements.only(truth)) != wanted) {
            throw new TensorException(what + ": give weights of 0 or more, and not all of a row 0.");
        }
    }

    private static long[] drawn(TensorImpl a, long samples) {
        double[] weights = HostValues.doubles(a);
        int columns = (int) a.size(-1);
        SplittableRandom random = host(a);
        long[] out = new long[Math.toIntExact(weights.length / columns * samples)];
        for (int r = 0; r < weights.length / columns; r++) {
            double[] sums = Arrays.copyOfRange(weights, r * columns, (r + 1) * columns);
            Arrays.parallelPrefix(sums, Double::sum);
            for (int s = 0; s < samples; s++) {
                double at = random.nextDouble() * sums[columns - 1];
                int place = 0;
                while (place < columns - 1 && sums[place] <= at) {
                    place++;
                }
                out[(int) (r * samples + s)] = place;
            }
        }
        return out;
    }

    /** Runs an action on a fresh tensor like that one. */
    public static TensorImpl like(TensorImpl a, Consumer<TensorImpl> action) {
        TensorImpl out = TensorImpl.emptyStrided(a.device(), a.dtype(), a.shape(), Strides.like(a));
        try (Temps t = new Temps()) {
            t.own(out);
            action.accept(out);
            return t.give(out);
        }
    }
}
