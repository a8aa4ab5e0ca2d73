package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.Views;
import java.util.Arrays;

/**
 * The gradients of a batch norm as results of the graph, and the gradients of those: PyTorch's
 * {@code batchnorm_double_backward}, temporaries included. A third pass through it is refused: it changes in place.
 */
final class NormSlopes {

    /** What the norm was made of. */
    private record Terms(TensorImpl centred, TensorImpl scale, TensorImpl square, TensorImpl weight, long count,
            boolean training) {
    }

    private NormSlopes() {
    }

    /**
     * Ties the gradients of input, weight and bias, null where not wanted, to what they were computed of.
     *
     * @param weight
     *            or null
     * @param deviation
     *            one over the standard deviation, or with {@code eps} not negative the running variance
     */
    static void record(TensorImpl[] gradients, TensorImpl g, TensorImpl a, TensorImpl weight, TensorImpl mean,
            TensorImpl deviation, boolean training, double eps) {
        SecondSlopes.record("NativeBatchNormBackwardBackward0", gradients,
                (n, seconds) -> backward(n, seconds, training, eps), g, a, weight, mean,
                deviation);
    }

    private static TensorImpl[] backward(Node n, TensorImpl[] seconds, boolean training, double eps) {
        TensorImpl g = n.saved(0);
        TensorImpl a = n.saved(1);
        TensorImpl weight = n.saved(2);
        TensorImpl input = seconds[0];
        try (Temps t = new Temps()) {
            TensorImpl wide = weight == null ? t.own(Factories.full(a.device(), a.dtype(), 1)) : along(t, weight, a);
            TensorImpl gain = seconds[1] == null ? null : along(t, seconds[1], a);
            TensorImpl shift = seconds[2] == null ? null : along(t, seconds[2], a);
            Terms terms = terms(t, n, wide, training, eps);
            TensorImpl cube = t.own(Pointwise.pow(terms.scale, 3));
            TensorImpl stretched = t.own(Elementwise.mul(terms.centred, cube));
            TensorImpl ofInput = input == null || !training ? null : t.own(ofInput(terms, g, input, cube, stretched));
            if (gain != null) {
                TensorImpl more = t.own(ofGain(terms, g, gain, stretched));
                if (ofInput == null) {
                    ofInput = more;
                } else {
                    InPlace.add(ofInput, more, 1);
                }
            }
            TensorImpl ofWeight = weight == null || input == null ? null : t.own(ofWeight(terms, g, input));
            TensorImpl out = input == null
                    ? null
                    : t.own(training ? first(terms, input, wide) : product(input, terms.scale, wide));
            if (gain != null) {
                out = SecondSlopes.added(t, out, product(gain, terms.centred, terms.scale));
            }
            if (shift != null) {
                out = SecondSlopes.added(t, out, shift.retain());
            }
            return t.give(orZeros(t, n.wants(0), out, g), orZeros(t, n.wants(1), ofInput, a),
                    weight == null ? null : orZeros(t, n.wants(2), ofWeight, weight));
        }
    }

    private static TensorImpl orZeros(Temps t, boolean wanted, TensorImpl gradient, TensorImpl like) {
        return !wanted ? null : gradient != null ? gradient : t.own(Factories.zerosLike(like));
    }

    private static Terms terms(Temps t, Node n, TensorImpl wide, boolean training, double eps) {
        TensorImpl a = n.saved(1);
        TensorImpl mean = t.own(channels(t.own(Copies.to(n.saved(3), a.device(), a.dtype())), a));
        TensorImpl centred = t.own(Elementwise.sub(a, mean, 1));
        TensorImpl scale = n.saved(4);
        if (eps >= 0) {
            scale = t.own(Pointwise.pow(t.own(Elementwise.add(scale, eps, false)), -0.5));
        } else {
            scale = t.own(Copies.to(scale, a.device(), a.dtype()));
        }
        TensorImpl seen = t.own(channels(scale, a));
        return new Terms(centred, seen, t.own(Pointwise.pow(seen, 2)), wide, a.count() / a.shape()[1], training);
    }

    /** [c] as [1, c, 1, …]. */
    private static TensorImpl channels(TensorImpl a, TensorImpl like) {
        long[] shape = new long[like.rank()];
        Arrays.fill(shape, 1);
        shape[1] = a.count();
        return Views.view(a, shape);
    }

    private static TensorImpl along(Temps t, TensorImpl a, TensorImpl like) {
        return t.own(Views.expand(t.own(channels(t.own(Copies.contiguous(a)), like)), like.shape()));
    }

    /** Over the batch first, then one spatial dimension after the other from the last on. */
    private static TensorImpl sum(TensorImpl a, boolean keep) {
        TensorImpl out = Sums.sum(a, new int[]{0}, keep);
        for (int d = out.rank() - 1; d > (keep ? 1 : 0); d--) {
            TensorImpl before = out;
            out = Sums.sum(before, new int[]{d}, keep);
            before.release();
        }
        return out;
    }

    private static TensorImpl sumOfProduct(TensorImpl a, TensorImpl b, boolean keep) {
        try (Temps t = new Temps()) {
            return sum(t.own(Elementwise.mul(a, b)), keep);
        }
    }

    private static TensorImpl product(TensorImpl a, TensorImpl b, TensorImpl c) {
        try (Temps t = new Temps()) {
            return Elementwise.mul(t.own(Elementwise.mul(a, b)), c);
        }
    }

    private static TensorImpl ofInput(Terms terms, TensorImpl g, TensorImpl input, TensorImpl cube,
            TensorImpl stretched) {
        long m = terms.count;
        try (Temps t = new Temps()) {
            TensorImpl along = t.own(sumOfProduct(g, terms.centred, true));
            TensorImpl sum = t.own(sum(g, true));
            TensorImpl inputSum = t.own(sum(input, true));
            TensorImpl inputAlong = t.own(sumOfProduct(input, terms.centred, true));
            TensorImpl all = t.own(Elementwise.mul(inputSum, sum));
            InPlace.div(all, m);
            try (Temps u = new Temps()) {
                InPlace.add(all, u.own(sumOfProduct(g, input, true)), -1);
                TensorImpl both = u.own(product(terms.square, along, inputAlong));
                InPlace.mul(both, 3.0 / m);
                InPlace.add(all, both, 1);
            }
            TensorImpl first = t.own(Elementwise.mul(stretched, all));
            InPlace.div(first, m);
            InPlace.add(first, t.own(spread(inputAlong, cube, sum, g, m)), 1);
            InPlace.add(first, t.own(spread(along, cube, inputSum, input, m)), 1);
            return Elementwise.mul(terms.weight, first);
        }
    }

    /** a cube / m times (sum / m - x). */
    private static TensorImpl spread(TensorImpl a, TensorImpl cube, TensorImpl sum, TensorImpl x, long m) {
        try (Temps t = new Temps()) {
            TensorImpl rest = t.own(Elementwise.sub(t.own(Elementwise.div(sum, (double) m)), x, 1));
            TensorImpl factor = t.own(Elementwise.mul(a, cube));
            InPlace.div(factor, m);
            return Elementwise.mul(factor, rest);
        }
    }

    private static TensorImpl ofGain(Terms terms, TensorImpl g, TensorImpl gain, TensorImpl stretched) {
        if (!terms.training) {
            return product(gain, terms.scale, g);
        }
        try (Temps t = new Temps()) {
            TensorImpl sum = t.own(Elementwise.mul(g, terms.scale));
            TensorImpl mean = t.own(Elementwise.mul(terms.scale, t.own(sum(g, true))));
            InPlace.div(mean, -terms.count);
            TensorImpl slope = t.own(Elementwise.mul(stretched, t.own(sumOfProduct(g, terms.centred, true))));
            InPlace.div(slope, -terms.count);
            InPlace.add(sum, mean, 1);
            InPlace.add(sum, slope, 1);
            return Elementwise.mul(gain, sum);
        }
    }

    private static TensorImpl ofWeight(Terms terms, TensorImpl g, TensorImpl input) {
        try (Temps t = new Temps()) {
            if (!terms.training) {
                return sum(t.own(product(input, g, terms.scale)), false);
            }
            TensorImpl one = t.own(Factories.full(g.device(), g.dtype(), 1));
            return sumOfProduct(input, t.own(first(terms, g, one)), false);
        }
    }

    /** The gradient of the input, of a gradient and a weight. */
    private static TensorImpl first(Terms terms, TensorImpl g, TensorImpl weight) {
        long m = terms.count;
        try (Temps t = new Temps()) {
            TensorImpl factor = t.own(Elementwise.mul(weight, terms.scale));
            InPlace.div(factor, m);
            TensorImpl rest = t.own(Elementwise.mul(g, m, true));
            InPlace.add(rest, t.own(sum(g, true)), -1);
            TensorImpl along = t.own(sumOfProduct(g, terms.centred, true));
            InPlace.add(rest, t.own(Elementwise.mul(t.own(Elementwise.mul(terms.centred, terms.square)), along)), -1);
            return Elementwise.mul(factor, rest);
        }
    }
}
