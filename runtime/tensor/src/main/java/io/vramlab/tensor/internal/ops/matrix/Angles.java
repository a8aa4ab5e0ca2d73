package io.vramlab.tensor.internal.ops.matrix;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.ops.reduce.Norms;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;

/** Norms and angles of rows, and products of two of them through weights. */
public final class Angles {

    private Angles() {
    }

    public static TensorImpl normalize(TensorImpl a, double p, int dim, double eps) {
        try (Temps t = new Temps()) {
            TensorImpl norm = t.own(Norms.vector(a, p, new int[]{dim}, true, AutocastMode.wide(a)));
            TensorImpl bounded = t.own(Selection.clamp(norm, eps, Double.POSITIVE_INFINITY));
            t.free(norm);
            TensorImpl wide = t.own(Views.expand(bounded, a.shape()));
            return Elementwise.div(a, wide);
        }
    }

    /** As PyTorch: norms outside the graph where they are bounded, both divided, multiplied and summed. */
    public static TensorImpl cosine(TensorImpl x1, TensorImpl x2, int dim, double eps) {
        long[] shape = Shape.broadcast(x1.shape(), x2.shape(), "cosine_similarity");
        try (Temps t = new Temps()) {
            TensorImpl a = t.own(Views.expand(x1, shape));
            TensorImpl b = t.own(Views.expand(x2, shape));
            TensorImpl boundedA = t.own(norm(a, dim));
            TensorImpl boundedB = t.own(norm(b, dim));
            // the bound is a tensor of the default dtype, and changes the copies outside the graph
            TensorImpl least = t.own(Factories.full(a.device(), DType.FLOAT32, eps));
            Launch.into(ElementOp.MAXIMUM, Launch.NONE, boundedA, boundedA, least);
            Launch.into(ElementOp.MAXIMUM, Launch.NONE, boundedB, boundedB, least);
            TensorImpl unitA = t.own(Elementwise.div(a, boundedA));
            TensorImpl unitB = t.own(Elementwise.div(b, boundedB));
            TensorImpl product = t.own(Elementwise.mul(unitA, unitB));
            TensorImpl out = t.own(Sums.sum(product, new int[]{dim}, false));
            t.free(product);
            t.free(unitB);
            t.free(unitA);
            t.free(least);
            return t.give(out);
        }
    }

    /** A copy of the rows' norms. */
    private static TensorImpl norm(TensorImpl a, int dim) {
        try (Temps t = new Temps()) {
            return Copies.clone(t.own(Norms.vector(a, 2, new int[]{dim}, true)));
        }
    }
}
