package io.vramlab.tensor.internal.ops.matrix;

import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;

/** A matrix, broadcast, plus products of a batch. */
public final class Baddbmm {

    private Baddbmm() {
    }

    /** input + a b, for input broadcast to [n, l, s], a [n, l, d] and b [n, d, s]. */
    public static TensorImpl of(TensorImpl input, TensorImpl a, TensorImpl b) {
        if (a.rank() != 3 || b.rank() != 3 || a.shape()[0] != b.shape()[0] || a.shape()[2] != b.shape()[1]) {
            throw new TensorException("baddbmm of batches " + Shape.text(a.shape()) + " and " + Shape.text(b.shape())
                    + " was asked for: they must be [n, l, d] and [n, d, s].");
        }
        Launch.device("baddbmm", input, a, b);
        if (a.dtype() != b.dtype() || input.dtype() != a.dtype()) {
            throw new TensorException("baddbmm of dtypes " + input.dtype() + ", " + a.dtype() + " and " + b.dtype()
                    + " was asked for: they must be the same. Convert with to(dtype).");
        }
        Graph.announceFactors(a, b);
        TensorImpl out;
        try (Temps t = new Temps()) {
            out = t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()[0], a.shape()[1], b.shape()[2]));
            Launch.into(ElementOp.COPY, Launch.NONE, out, input);
            if (out.count() > 0) {
                MatrixOps.multiply(t, out, a, b, 1, false);
            }
            t.give(out);
        }
        if (Graph.wanted(input, a, b)) {
            Node node = Graph.record("BaddbmmBackward0", out, Baddbmm::backward, input, a, b);
            node.save(Graph.inputIf(node.wants(2), node, a), Graph.inputIf(node.wants(1), node, b));
        }
        return out;
    }

    private static TensorImpl[] backward(Node n, TensorImpl g) {
        try (Temps t = new Temps(); Temps views = new Temps()) {
            TensorImpl right = n.wants(2)
                    ? t.own(MatrixOps.bmm(views.own(Views.transpose(n.saved(0), 1, 2)), g))
                    : null;
            TensorImpl left = n.wants(1)
                    ? t.own(MatrixOps.bmm(g, views.own(Views.transpose(n.saved(1), 1, 2))))
                    : null;
            TensorImpl input = n.wants(0) ? t.own(g.retain()) : null;
            return t.give(input, left, right);
        }
    }
}
