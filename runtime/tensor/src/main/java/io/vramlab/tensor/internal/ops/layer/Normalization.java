package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;
import io.vramlab.footprint.Accumulator;
import io.vramlab.footprint.LayerNormParts;
import io.vramlab.footprint.ReductionScratch;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.type.Generator;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Layer norm and dropout: operations with statistics or masks that backward needs. */
public final class Normalization {

    private Normalization() {
    }

    /** Over the last {@code normalized.length} dimensions; weight and bias of that shape, or null. */
    public static TensorImpl layerNorm(TensorImpl a, long[] normalized, TensorImpl weight, TensorImpl bias,
            double eps) {
        int lead = a.rank() - normalized.length;
        if (lead < 0 || normalized.length == 0
                || !Arrays.equals(Arrays.copyOfRange(a.shape(), lead, a.rank()), normalized)) {
            throw new TensorException("layerNorm over " + Shape.text(normalized) + " was asked of a tensor of shape "
                    + Shape.text(a.shape()) + ": its last sizes must be those.");
        }
        requireShape("layerNorm's weight", weight, normalized);
        requireShape("layerNorm's bias", bias, normalized);
        long columns = Shape.count(normalized);
        long rows = columns == 0 ? 0 : a.count() / columns;
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(a));
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
            TensorImpl mean = t.own(TensorImpl.empty(a.device(), statistics(a), rows));
            TensorImpl rstd = t.own(TensorImpl.empty(a.device(), statistics(a), rows));
            if (a.count() > 0) {
                a.driver().kernels().layerNorm(rows(out, rows, columns), mean.operand(), rstd.operand(),
                        rows(x, rows, columns), flat(weight), flat(bias), eps, a.stream());
            }
            if (Graph.wanted(a, weight, bias)) {
                Node node = Graph.record("NativeLayerNormBackward0", out,
                        (n, g) -> layerNormBackward(n, g, rows, columns), a, weight, bias);
                node.save(Graph.input(node, a), Graph.input(node, mean), Graph.input(node, rstd),
                        Graph.inputIf(weight != null, node, weight), Graph.inputIf(bias != null, node, bias));
            }
            return t.give(out);
        }
    }

    private static TensorImpl[] layerNormBackward(Node n, TensorImpl g, long rows, long columns) {
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(n.saved(0)));
            TensorImpl gradIn = n.wants(0) ? t.own(TensorImpl.empty(x.device(), x.dtype(), x.shape())) : null;
            TensorImpl gradWeight = n.wants(1) ? t.own(like(n.saved(3))) : null;
            TensorImpl gradBias = n.wants(2) ? t.own(like(n.saved(4))) : null;
            TensorImpl dense = t.own(Copies.contiguous(g));
            if (x.device().isCuda() && LayerNormParts.apply(x.driver().properties(), rows, columns)) {
                TensorImpl[] sums = sumOfParts(t, rows, columns, gradWeight, gradBias);
                gradWeight = sums[0];
                gradBias = sums[1];
            }
            if (x.count() > 0) {
                x.driver().kernels().layerNormBackward(gradIn == null ? null : rows(gradIn, rows, columns),
                        flat(gradWeight), flat(gradBias), rows(dense, rows, columns), rows(x, rows, columns),
                        n.saved(1).operand(), n.saved(2).operand(), flat(n.saved(3)), x.stream());
            }
            TensorImpl[] gradients = {gradIn, gradWeight, gradBias};
            LayerNormSlopes.record(gradients, g, n, rows, columns);
            return t.give(gradients);
        }
    }

    /** Takes the matrices and replaces the gradients, which may be null, by the sums of their rows. */
    static TensorImpl[] sumOfParts(Temps t, long rows, long columns, TensorImpl... gradients) {
        TensorImpl[] parts = new TensorImpl[gradients.length];
        TensorImpl[] sums = new TensorImpl[gradients.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = gradients[i] == null
                    ? null
                    : t.own(TensorImpl.empty(gradients[i].device(), gradients[i].dtype(), LayerNormParts.parts(rows),
                            columns));
        }
        for (int i = 0; i < parts.length; i++) {
            if (parts[i] != null) {
                sums[i] = t.own(like(gradients[i]));
                TensorImpl part = parts[i];
                Scratch.pass(part, device -> ReductionScratch.of(part.operand(), new boolean[]{true, false},
                        Accumulator.bytes(ReduceOp.SUM, part.dtype()), device).footprint());
                t.free(gradients[i]);
            }
        }
        for (int i = parts.length - 1; i >= 0; i--) {
            if (parts[i] != null) {
                t.free(parts[i]);
            }
        }
        return sums;
    }

    private static DType statistics(TensorImpl a) {
        return a.dtype().bytes() < 4 ? DType.FLOAT32 : a.dtype();
    }

    private static TensorImpl like(TensorImpl a) {
        return TensorImpl.empty(a.device(), a.dtype(), a.shape());
    }

    private static Operand rows(TensorImpl a, long rows, long columns) {
        long[] shape = {rows, columns};
        return new Operand(a.operand().address(), a.dtype(), shape, Shape.contiguous(shape));
    }

    private static Operand flat(TensorImpl a) {
        long[] shape = {a == null ? 0 : a.count()};
        return a == null ? null : new Operand(a.operand().address(), a.dtype(), shape, Shape.contiguous(shape));
    }

    private static void requireShape(String what, TensorImpl a, long[] shape) {
        if (a != null && !Arrays.equals(a.shape(), shape)) {
            throw new TensorException(what + " has shape " + Shape.text(a.shape()) + ", but " + Shape.text(shape)
                    + " is needed.");
        }
    }

    /** A gradient behind the mask; linear, so its own gradient's too. */
    private static TensorImpl dropped(TensorImpl g, TensorImpl mask, double scale) {
        TensorImpl grad = Launch.binary(ElementOp.MUL, g, mask, g.dtype());
        Launch.run(ElementOp.MUL_SCALAR, new double[]{scale}, grad, grad);
        if (Graph.wanted(g)) {
            Node node = Graph.recordUnary("NativeDropoutBackwardBackward0", grad, g,
                    (n, second) -> dropped(second, n.saved(0), scale));
            node.save(Graph.input(node, mask));
        }
        return grad;
    }

    /** Zeroes each element with probability p and scales the others; the mask of bool stays for backward. */
    public static TensorImpl dropout(TensorImpl a, double p, boolean training) {
        if (!(p >= 0 && p <= 1)) {
            throw new TensorException("dropout probability has to be between 0 and 1, but got " + p + ".");
        }
        if (!training || p == 0 || a.count() == 0) {
            return a.retain();
        }
        if (p == 1) {
            try (Temps t = new Temps()) {
                return Elementwise.mul(a, t.own(Factories.full(a.device(), a.dtype(), 0)));
            }
        }
        Kernels kernels = a.driver().kernels();
        try (Temps t = new Temps()) {
            TensorImpl mask = t.own(TensorImpl.emptyStrided(a.device(), DType.BOOL, a.shape(), Strides.like(a)));
            TensorImpl out = t.own(TensorImpl.emptyStrided(a.device(), a.dtype(), a.shape(), Strides.like(a)));
            Generator generator = Generator.of(a.device());
            kernels.dropout(out.operand(), mask.operand(), a.operand(), p, generator.initialSeed(),
                    generator.take(a.count()), a.stream());
            if (Graph.wanted(a)) {
                Node node = Graph.recordUnary("NativeDropoutBackward0", out, a, (n, g) -> {
                    return dropped(g, n.saved(0), 1 / (1 - p));
                });
                node.save(Graph.input(node, mask));
            }
            return t.give(out);
        }
    }
}
