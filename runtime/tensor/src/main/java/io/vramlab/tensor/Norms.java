package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.ReduceOp;

/** p-norms over some or all dimensions. */
final class Norms {

    private Norms() {
    }

    /**
     * (sum of |a|^p)^(1/p) for p of 1, 2 and infinity.
     *
     * @throws TensorException
     *             for another p
     */
    static TensorImpl vector(TensorImpl a, double p, int[] dims, boolean keep) {
        if (p == 2) {
            return Reductions.norm(a, dims, keep);
        }
        if (p == 1) {
            return magnitudes(a, dims, keep);
        }
        if (p == Double.POSITIVE_INFINITY) {
            try (Temps t = new Temps()) {
                return Reductions.extreme(t.own(Pointwise.abs(a)), true, dims, keep);
            }
        }
        throw new TensorException(
                "A norm with p=" + p + " was asked for: 1, 2 and infinity exist. Write it with abs(), "
                        + "pow() and sum().");
    }

    private static TensorImpl magnitudes(TensorImpl a, int[] dims, boolean keep) {
        boolean[] reduced = Reductions.mask(a, dims);
        TensorImpl out = Reductions.reduce(ReduceOp.NORM1, a, reduced, keep, Promotion.floating(a.dtype()));
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("LinalgVectorNormBackward0", out, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl x = n.saved(0);
                    TensorImpl grad = t.own(Reductions.keepDims(g, x.shape(), reduced, keep));
                    TensorImpl sign = t.own(Launch.unary(ElementOp.SIGN, x, g.dtype()));
                    return Elementwise.mul(sign, grad);
                }
            });
            node.save(Graph.input(node, a));
        }
        return out;
    }

    /** The standard deviation: the square root of {@link Reductions#var}, with n - correction. */
    static TensorImpl std(TensorImpl a, int[] dims, boolean keep, double correction) {
        boolean[] reduced = Reductions.mask(a, dims);
        DType dtype = Promotion.floating(a.dtype());
        TensorImpl out = Reductions.variance(a, reduced, keep, dtype, correction);
        Launch.into(ElementOp.SQRT, Launch.NONE, out, out);
        if (Graph.wanted(a)) {
            Node node = Graph.recordUnary("StdBackward0", out, a, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl twice = t.own(Elementwise.mul(n.saved(1), 2, true));
                    TensorImpl share = t.own(Elementwise.div(g, twice));
                    TensorImpl zero = t.own(Elementwise.compare(ElementOp.EQ_SCALAR, n.saved(1), 0));
                    Launch.into(ElementOp.MASKED_FILL, new double[]{0}, share, share, zero);
                    return Reductions.varBackward(share, n.saved(0), reduced, keep, correction);
                }
            });
            node.save(Graph.input(node, a), Graph.result(node, out));
        }
        return out;
    }
}
