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

/**
 * The gradients of a layer norm as results of the graph, and the gradients of those: PyTorch's
 * {@code layer_norm_double_backward}, on rows. A third pass through it is refused: it changes in place.
 */
final class LayerNormSlopes {

    private static final int[] ROW = {1};

    /** The norm as rows: input less mean, one over the deviation with its powers, the weight seen in each row. */
    private record Terms(TensorImpl g, TensorImpl centred, TensorImpl scale, TensorImpl square, TensorImpl stretched,
            TensorImpl cube, long columns) {
    }

    private LayerNormSlopes() {
    }

    /** Ties the gradients of input, weight and bias, null where not wanted, to what they were computed of. */
    static void record(TensorImpl[] gradients, TensorImpl g, Node of, long rows, long columns) {
        TensorImpl a = of.saved(0);
        TensorImpl weight = of.saved(3);
        SecondSlopes.record("NativeLayerNormBackwardBackward0", gradients,
                (n, seconds) -> backward(n, seconds, rows, columns), g, a, weight, of.saved(1),
                of.saved(2));
    }

    private static TensorImpl view(Temps t, TensorImpl a, long... shape) {
        return a == null ? null : t.own(Views.reshape(a, shape));
    }

    private static TensorImpl[] backward(Node n, TensorImpl[] seconds, long rows, long columns) {
        TensorImpl a = n.saved(1);
        TensorImpl weight = n.saved(2);
        try (Temps t = new Temps()) {
            TensorImpl x = view(t, a, rows, columns);
            TensorImpl input = view(t, seconds[0], rows, columns);
            TensorImpl gain = view(t, seconds[1], 1, columns);
            TensorImpl shift = view(t, seconds[2], 1, columns);
            TensorImpl wide = weight == null
                    ? t.own(Factories.full(a.device(), a.dtype(), 1))
                    : view(t, weight, 1, columns);
            TensorImpl mean = view(t, t.own(Copies.to(n.saved(3), a.device(), a.dtype())), rows, 1);
            TensorImpl scale = view(t, t.own(Copies.to(n.saved(4), a.device(), a.dtype())), rows, 1);
            TensorImpl centred = t.own(Elementwise.sub(x, mean, 1));
            TensorImpl square = t.own(Pointwise.pow(scale, 2));
            TensorImpl cube = t.own(Pointwise.pow(scale, 3));
            Terms terms = new Terms(view(t, n.saved(0), rows, columns), centred, scale, square,
                    t.own(Elementwise.mul(centred, cube)), cube, columns);
            TensorImpl ofInput = input == null ? null : t.own(ofInput(terms, input, wide));
            if (gain != null) {
                ofInput = SecondSlopes.added(t, ofInput, ofGain(terms, gain));
            }
            TensorImpl ofWeight = weight == null || input == null ? null : t.own(ofWeight(terms, input));
            TensorImpl out = input == null ? null : t.own(first(terms, input, wide));
            if (gain != null) {
                try (Temps u = new Temps()) {
                    TensorImpl product = u.own(Elementwise.mul(gain, centred));
                    out = SecondSlopes.added(t, out, Elementwise.mul(product, scale));
                }
            }
            if (shift != null) {
                out = SecondSlopes.added(t, out, Views.expand(shift, rows, columns));
            }
            return t.give(shaped(t, n.wants(0), out, n.saved(0)), shaped(t, n.wants(1), ofInput, a),
                    shaped(t, n.wants(2), ofWeight, weight));
        }
    }

    private static TensorImpl shaped(Temps t, boolean wanted, TensorImpl gradient, TensorImpl like) {
        if (!wanted) {
            return null;
        }
        return t.own(gradient == null ? Factories.zerosLike(like) : Views.reshape(gradient, like.shape()));
    }

    private static TensorImpl sum(TensorImpl a) {
        return Sums.sum(a, ROW, true);
    }

    private static TensorImpl sumOfProduct(TensorImpl a, TensorImpl b) {
        try (Temps t = new Temps()) {
            return sum(t.own(Elementwise.mul(a, b)));
        }
    }

    private static TensorImpl ofInput(Terms terms, TensorImpl input, TensorImpl weight) {
        long m = terms.columns;
        try (Temps t = new Temps()) {
            TensorImpl g = t.own(Elementwise.mul(terms.g, weight));
            TensorImpl along = t.own(sumOfProduct(g, terms.centred));
            TensorImpl sum = t.own(sum(g));
            TensorImpl inputSum = t.own(sum(input));
            TensorImpl inputAlong = t.own(sumOfProduct(input, terms.centred));
            TensorImpl all = t.own(Elementwise.mul(inputSum, sum));
            InPlace.div(all, m);
            try (Temps u = new Temps()) {
                InPlace.add(all, u.own(sumOfProduct(g, input)), -1);
                TensorImpl scaled = u.own(Elementwise.mul(terms.square, along));
                TensorImpl both = u.own(Elementwise.mul(scaled, inputAlong));
                InPlace.mul(both, 3.0 / m);
                InPlace.add(all, both, 1);
            }
            TensorImpl first = t.own(Elementwise.mul(terms.stretched, all));
            InPlace.div(first, m);
            TensorImpl second = t.own(spread(inputAlong, terms.cube, sum, g, m));
            TensorImpl third = t.own(spread(along, terms.cube, inputSum, input, m));
            InPlace.add(first, second, 1);
            InPlace.add(first, third, 1);
            return t.give(first);
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

    private static TensorImpl ofGain(Terms terms, TensorImpl gain) {
        try (Temps t = new Temps()) {
            TensorImpl g = t.own(Elementwise.mul(terms.g, gain));
            TensorImpl sum = t.own(Elementwise.mul(g, terms.scale));
            TensorImpl mean = t.own(Elementwise.mul(terms.scale, t.own(sum(g))));
            InPlace.div(mean, -terms.columns);
            TensorImpl slope = t.own(Elementwise.mul(terms.stretched, t.own(sumOfProduct(g, terms.centred))));
            InPlace.div(slope, -terms.columns);
            InPlace.add(sum, mean, 1);
            InPlace.add(sum, slope, 1);
            return t.give(sum);
        }
    }

    private static TensorImpl ofWeight(Terms terms, TensorImpl input) {
        try (Temps t = new Temps()) {
            TensorImpl one = t.own(Factories.full(input.device(), input.dtype(), 1));
            TensorImpl product = t.own(Elementwise.mul(terms.g, t.own(first(terms, input, one))));
            return Sums.sum(product, new int[]{0}, false);
        }
    }

    /** What is left of a row without its mean and its part along the input, over the deviation, then weighed. */
    private static TensorImpl first(Terms terms, TensorImpl given, TensorImpl weight) {
        long m = terms.columns;
        try (Temps t = new Temps()) {
            TensorImpl factor = t.own(Elementwise.mul(weight, terms.scale));
            InPlace.div(factor, m);
            TensorImpl rest = t.own(Elementwise.mul(given, m, true));
            InPlace.add(rest, t.own(sum(given)), -1);
            TensorImpl along = t.own(sumOfProduct(given, terms.centred));
            TensorImpl scaled = t.own(Elementwise.mul(terms.centred, terms.square));
            InPlace.add(rest, t.own(Elementwise.mul(scaled, along)), -1);
            return Elementwise.mul(factor, rest);
        }
    }
}
