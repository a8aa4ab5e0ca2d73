package io.vramlab.tensor.internal.ops.random;

import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.index.Sorts;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.HostValues;
import io.vramlab.tensor.type.Generator;
import java.util.SplittableRandom;

/** Draws of gamma and Dirichlet distributions, with PyTorch's memory and gradients; the numbers come from the host. */
public final class GammaDraws {

    private GammaDraws() {
    }

    private static TensorImpl like(TensorImpl a) {
        return TensorImpl.empty(a.device(), a.dtype(), a.shape());
    }

    private static SplittableRandom random(TensorImpl a) {
        Generator generator = Generator.of(a.device());
        return new SplittableRandom(generator.initialSeed() * 0x9E3779B97F4A7C15L + generator.take(a.count()));
    }

    private static boolean isIdle(TensorImpl a) {
        return !a.driver().holdsValues() || a.count() == 0;
    }

    /** {@code torch._standard_gamma}: with those shapes and rate 1. */
    public static TensorImpl standardGamma(TensorImpl alpha) {
        TensorImpl out = like(alpha);
        if (!isIdle(alpha)) {
            SplittableRandom random = random(alpha);
            double[] values = HostValues.doubles(alpha);
            for (int i = 0; i < values.length; i++) {
                values[i] = Math.max(GammaMath.draw(random, values[i]), alpha.dtype().tiny());
            }
            Sorts.send(out, values);
        }
        if (Graph.wanted(alpha)) {
            Node node = Graph.record("StandardGammaBackward0", out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl slope = t.own(slope(n.saved(0), n.saved(1)));
                    return new TensorImpl[]{Elementwise.mul(g, slope)};
                }
            }, alpha);
            node.save(Graph.input(node, alpha), Graph.result(node, out));
        }
        return out;
    }

    private static TensorImpl slope(TensorImpl alpha, TensorImpl x) {
        TensorImpl out = like(alpha);
        if (!isIdle(alpha)) {
            double[] a = HostValues.doubles(alpha);
            double[] values = HostValues.doubles(x);
            for (int i = 0; i < a.length; i++) {
                a[i] = GammaMath.slope(a[i], values[i]);
            }
            Sorts.send(out, a);
        }
        return out;
    }

    /** {@code torch._sample_dirichlet}, with the gradients of torch.distributions' function around it. */
    public static TensorImpl dirichlet(TensorImpl alpha) {
        TensorImpl out = like(alpha);
        try (Temps t = new Temps()) {
            // the sum of each row's gamma draws
            long[] rows = alpha.shape().clone();
            rows[rows.length - 1] = 1;
            t.own(TensorImpl.empty(alpha.device(), alpha.dtype(), rows));
            if (!isIdle(alpha)) {
                drawDirichlet(alpha, out);
            }
        }
        if (Graph.wanted(alpha)) {
            Node node = Graph.record("_DirichletBackward", out,
                    (n, g) -> new TensorImpl[]{gradient(n.saved(0), n.saved(1), g)}, alpha);
            node.save(Graph.result(node, out), Graph.input(node, alpha));
        }
        return out;
    }

    private static void drawDirichlet(TensorImpl alpha, TensorImpl out) {
        SplittableRandom random = random(alpha);
        double[] values = HostValues.doubles(alpha);
        int columns = Math.toIntExact(alpha.size(-1));
        for (int row = 0; row < values.length; row += columns) {
            double sum = 0;
            for (int i = row; i < row + columns; i++) {
                values[i] = Math.max(GammaMath.draw(random, values[i]), Double.MIN_NORMAL);
                sum += values[i];
            }
            for (int i = row; i < row + columns; i++) {
                values[i] = Math.min(Math.max(values[i] / sum, alpha.dtype().tiny()), 1 - alpha.dtype().eps() / 2);
            }
        }
        Sorts.send(out, values);
    }

    /** {@code grad * (g - (x * g).sum(-1, True))}, where grad is how each element moves with its shape. */
    private static TensorImpl gradient(TensorImpl x, TensorImpl alpha, TensorImpl g) {
        try (Temps t = new Temps()) {
            TensorImpl sum = t.own(Sums.sum(alpha, new int[]{-1}, true));
            TensorImpl total = t.own(Views.expand(sum, alpha.shape()));
            TensorImpl slope = t.own(like(x));
            if (!isIdle(x)) {
                double[] values = HostValues.doubles(x);
                double[] shapes = HostValues.doubles(alpha);
                double[] totals = HostValues.doubles(total);
                for (int i = 0; i < values.length; i++) {
                    values[i] = GammaMath.betaSlope(values[i], shapes[i], totals[i]);
                }
                Sorts.send(slope, values);
            }
            TensorImpl weighted = t.own(Elementwise.mul(x, g));
            TensorImpl mean = t.own(Sums.sum(weighted, new int[]{-1}, true));
            t.free(weighted);
            TensorImpl centred = t.own(Elementwise.sub(g, mean, 1));
            t.free(mean);
            TensorImpl result = t.own(Elementwise.mul(slope, centred));
            // the order in which Python lets variables go
            t.free(centred);
            t.free(total);
            t.free(sum);
            t.free(slope);
            return t.give(result);
        }
    }
}
