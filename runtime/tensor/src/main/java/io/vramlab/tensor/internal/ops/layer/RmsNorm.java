package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.device.DType;
import io.vramlab.device.Operand;
import io.vramlab.footprint.LayerNormParts;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Division by the root of the mean square over the last dimensions: PyTorch's fused kernel, which keeps one number a row. */
public final class RmsNorm {

    private RmsNorm() {
    }

    /** Weight of the normalised shape, or null. */
    public static TensorImpl of(TensorImpl a, long[] normalized, TensorImpl weight, double eps) {
        int lead = a.rank() - normalized.length;
        if (lead < 0 || normalized.length == 0
                || !Arrays.equals(Arrays.copyOfRange(a.shape(), lead, a.rank()), normalized)) {
            throw new TensorException("rmsNorm over " + Shape.text(normalized) + " was asked of a tensor of shape "
                    + Shape.text(a.shape()) + ": its last sizes must be those.");
        }
        if (weight != null && !Arrays.equals(weight.shape(), normalized)) {
            throw new TensorException("rmsNorm's weight has shape " + Shape.text(weight.shape()) + ", but "
                    + Shape.text(normalized) + " is needed.");
        }
        long columns = Shape.count(normalized);
        long rows = columns == 0 ? 0 : a.count() / columns;
        DType statistics = a.dtype().bytes() < Float.BYTES ? DType.FLOAT32 : a.dtype();
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(a));
            TensorImpl out = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
            TensorImpl rstd = t.own(TensorImpl.empty(a.device(), statistics, rows));
            if (a.count() > 0) {
                a.driver().kernels().layerNorm(rows(out, rows, columns), null, rstd.operand(), rows(x, rows, columns),
                        flat(weight), null, eps, a.stream());
            }
            if (Graph.wanted(a, weight)) {
                Node node = Graph.record("FusedRmsNormBackward0", out, (n, g) -> backward(n, g, rows, columns), a,
                        weight);
                node.save(Graph.input(node, a), Graph.input(node, rstd),
                        Graph.inputIf(weight != null, node, weight));
            }
            return t.give(out);
        }
    }

    private static TensorImpl[] backward(Node n, TensorImpl g, long rows, long columns) {
        try (Temps t = new Temps()) {
            TensorImpl x = t.own(Copies.contiguous(n.saved(0)));
            TensorImpl gradIn = n.wants(0) ? t.own(TensorImpl.empty(x.device(), x.dtype(), x.shape())) : null;
            TensorImpl weight = n.saved(2);
            TensorImpl gradWeight = n.wants(1)
                    ? t.own(TensorImpl.empty(x.device(), weight.dtype(), weight.shape()))
                    : null;
            TensorImpl dense = t.own(Copies.contiguous(g));
            if (gradWeight != null && x.device().isCuda()
                    && LayerNormParts.apply(x.driver().properties(), rows, columns)) {
                gradWeight = Normalization.sumOfParts(t, rows, columns, gradWeight)[0];
            }
            if (x.count() > 0) {
                x.driver().kernels().layerNormBackward(gradIn == null ? null : rows(gradIn, rows, columns),
                        flat(gradWeight), null, rows(dense, rows, columns), rows(x, rows, columns), null,
                        n.saved(1).operand(), flat(weight), x.stream());
            }
            return t.give(gradIn, gradWeight);
        }
    }

    private static Operand rows(TensorImpl a, long rows, long columns) {
        long[] shape = {rows, columns};
        return new Operand(a.operand().address(), a.dtype(), shape, Shape.contiguous(shape));
    }

    private static Operand flat(TensorImpl a) {
        long[] shape = {a == null ? 0 : a.count()};
        return a == null ? null : new Operand(a.operand().address(), a.dtype(), shape, Shape.contiguous(shape));
    }
}
