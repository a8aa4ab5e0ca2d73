package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.reduce.Norms;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.Views;
import java.util.stream.IntStream;

/**
 * A weight as lengths and directions, torch._weight_norm: one kernel there where the lengths are of the first or the last
 * dimension, which takes the weight and the norms and nothing else; and the power method of the spectral norm.
 */
public final class WeightNorms {

    private WeightNorms() {
    }

    /** |v| over all dimensions but one, which stay with size 1. */
    public static TensorImpl lengths(TensorImpl v, int dim) {
        return Norms.vector(v, 2, others(v, dim), true);
    }

    private static int[] others(TensorImpl v, int dim) {
        int kept = dim < 0 ? dim + v.rank() : dim;
        return IntStream.range(0, v.rank()).filter(d -> d != kept).toArray();
    }

    /** g v / |v|. */
    public static TensorImpl of(TensorImpl v, TensorImpl g, int dim) {
        int kept = dim < 0 ? dim + v.rank() : dim;
        try (Temps t = new Temps()) {
            if (kept != 0 && kept != v.rank() - 1) {
                TensorImpl norms = t.own(lengths(v, kept));
                return Elementwise.mul(v, t.own(Elementwise.div(g, norms)));
            }
            int[] rest = others(v, kept);
            TensorImpl w = t.own(TensorImpl.empty(v.device(), v.dtype(), v.shape()));
            TensorImpl norms;
            try (Temps u = new Temps()) {
                norms = t.own(Norms.vector(u.own(Views.detach(v)), 2, rest, true));
            }
            Launch.into(ElementOp.DIV, Launch.NONE, w, v, norms);
            Launch.into(ElementOp.MUL, Launch.NONE, w, w, g);
            if (Graph.wanted(v, g)) {
                Node node = Graph.record("WeightNormInterfaceBackward0", w, (n, d) -> backward(n, d, rest), v, g);
                node.save(Graph.input(node, v), Graph.input(node, g), Graph.input(node, norms));
            }
            return t.give(w);
        }
    }

    /** In the memory of the two gradients: dg = sum(dw v) / |v|, dv = (dw - v dg / |v|) g / |v|. */
    private static TensorImpl[] backward(Node n, TensorImpl d, int... rest) {
        TensorImpl v = n.saved(0);
        TensorImpl g = n.saved(1);
        TensorImpl norms = n.saved(2);
        try (Temps t = new Temps()) {
            TensorImpl toV = t.own(TensorImpl.empty(v.device(), v.dtype(), v.shape()));
            Launch.into(ElementOp.MUL, Launch.NONE, toV, d, v);
            TensorImpl toG = t.own(Sums.sum(toV, rest, true));
            Launch.into(ElementOp.DIV, Launch.NONE, toG, toG, norms);
            Launch.into(ElementOp.MUL, Launch.NONE, toV, v, toG);
            Launch.into(ElementOp.DIV, Launch.NONE, toV, toV, norms);
            Launch.into(ElementOp.SUB, new double[]{1}, toV, d, toV);
            Launch.into(ElementOp.MUL, Launch.NONE, toV, toV, g);
            Launch.into(ElementOp.DIV, Launch.NONE, toV, toV, norms);
            return t.give(toV, toG);
        }
    }

    /** Steps towards the first singular vectors of a matrix, in place. */
    public static void powerMethod(TensorImpl matrix, TensorImpl left, TensorImpl right, int times, double eps) {
        try (Temps t = new Temps()) {
            TensorImpl turned = t.own(Views.transpose(matrix, 0, 1));
            for (int i = 0; i < times; i++) {
                step(matrix, right, left, eps);
                step(turned, left, right, eps);
            }
        }
    }

    private static void step(TensorImpl matrix, TensorImpl by, TensorImpl into, double eps) {
        try (Temps t = new Temps()) {
            TensorImpl product = t.own(MatrixOps.mv(matrix, by));
            TensorImpl norm = t.own(Norms.vector(product, 2, new int[]{0}, true));
            InPlace.clamp(norm, eps, Double.POSITIVE_INFINITY);
            Launch.into(ElementOp.DIV, Launch.NONE, into, product, norm);
        }
    }
}
