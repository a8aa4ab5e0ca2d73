package io.vramlab.tensor.internal.ops.loss;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;

/**
 * The gradient of a squared or a smooth absolute error, as an operation of the graph: PyTorch's {@code mse_loss_backward} and
 * {@code smooth_l1_loss_backward} with their own gradients, for the incoming gradient, the output and the target.
 *
 * @param op
 *            the kernel
 * @param mean
 *            whether the loss is the mean
 * @param scalars
 *            of the kernel: the factor, and the bound of a smooth absolute error
 */
record PairSlopes(ElementOp op, boolean mean, double... scalars) {

    TensorImpl of(TensorImpl g, TensorImpl a, TensorImpl target) {
        TensorImpl out = Launch.contiguous(op, g.dtype(), scalars, g, a, target);
        if (Graph.wanted(g, a, target)) {
            Node node = Graph.record(op == ElementOp.SQUARED_ERROR_BACKWARD
                    ? "MseLossBackwardBackward0"
                    : "SmoothL1LossBackwardBackward0", out, this::backward, g, a, target);
            node.save(Graph.input(node, g), Graph.input(node, a), Graph.input(node, target));
        }
        return out;
    }

    private TensorImpl[] backward(Node n, TensorImpl second) {
        TensorImpl g = n.saved(0);
        TensorImpl a = n.saved(1);
        TensorImpl target = n.saved(2);
        try (Temps t = new Temps()) {
            TensorImpl incoming = n.wants(0) ? t.own(of(second, a, target)) : null;
            TensorImpl self = n.wants(1) ? t.own(curvature(second, g, a, target)) : null;
            TensorImpl other = null;
            if (n.wants(2)) {
                try (Temps u = new Temps()) {
                    other = t.own(Pointwise.neg(u.own(curvature(second, g, a, target))));
                }
            }
            return t.give(incoming, self, other);
        }
    }

    /** What the slope changes by: 2, or 1 / beta within beta; over the number of elements for the mean. */
    private TensorImpl curvature(TensorImpl second, TensorImpl g, TensorImpl a, TensorImpl target) {
        try (Temps t = new Temps()) {
            TensorImpl both = t.own(Elementwise.mul(second, g));
            TensorImpl out;
            if (op == ElementOp.SQUARED_ERROR_BACKWARD) {
                out = t.own(Elementwise.mul(both, 2, true));
            } else {
                TensorImpl near = t.own(near(t, a, target, both.dtype()));
                out = t.own(Elementwise.div(t.own(Elementwise.mul(both, near)), scalars[1]));
            }
            if (mean) {
                InPlace.div(out, a.count());
            }
            return t.give(out);
        }
    }

    /** Where the distance is within beta; distance and truth values stay until the formula ends. */
    private TensorImpl near(Temps t, TensorImpl a, TensorImpl target, DType dtype) {
        TensorImpl distance;
        try (Temps u = new Temps()) {
            distance = t.own(Pointwise.abs(u.own(Elementwise.sub(a, target, 1))));
        }
        TensorImpl within = t.own(Elementwise.compare(ElementOp.LT_SCALAR, distance, scalars[1]));
        return Copies.to(within, a.device(), dtype);
    }
}
