package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import java.util.Arrays;

/** Losses, as PyTorch composes them: which temporaries exist, and when, follows its implementation on CUDA. */
final class Losses {

    private Losses() {
    }

    static TensorImpl crossEntropy(TensorImpl a, TensorImpl target, Reduction reduction, long ignoreIndex) {
        if (a.rank() != 2 && a.rank() != 1) {
            throw new TensorException("cross entropy was asked of a tensor of shape " + Shape.text(a.shape())
                    + ": it takes [batch, classes]. Reshape to two dimensions.");
        }
        checkTarget(a, target);
        TensorImpl log = Softmax.of(a, a.rank() - 1, true);
        try {
            // under autocast the softmax stays in the logits' dtype and the loss is float32, as PyTorch's traces show
            // nobody else sees the log-probabilities: unless they were converted, their gradient goes to the softmax alone
            return AutocastMode.full(x -> nll(x[0], target, reduction, ignoreIndex, x[0] == log), log);
        } finally {
            log.release();
        }
    }

    private static void checkTarget(TensorImpl a, TensorImpl target) {
        Launch.device("nll loss", a, target);
        if (target.dtype() != DType.INT64) {
            throw new TensorException("expected scalar type Long but found " + target.dtype()
                    + ": class targets are int64. Convert with to(INT64).");
        }
        boolean fits = a.rank() == 2 ? target.rank() == 1 && target.shape()[0] == a.shape()[0] : target.rank() == 0;
        if (!fits) {
            throw new TensorException("Expected input batch_size (" + Shape.text(a.shape())
                    + ") to match target batch_size (" + Shape.text(target.shape()) + "): give one class per row.");
        }
    }

    static TensorImpl nll(TensorImpl log, TensorImpl target, Reduction reduction, long ignoreIndex) {
        return nll(log, target, reduction, ignoreIndex, false);
    }

    private static TensorImpl nll(TensorImpl log, TensorImpl target, Reduction reduction, long ignoreIndex,
            boolean ofSoftmax) {
        checkTarget(log, target);
        long[] shape = reduction == Reduction.NONE ? target.shape() : Shape.SCALAR;
        try (Temps t = new Temps()) {
            TensorImpl out = t.own(TensorImpl.empty(log.device(), log.dtype(), shape));
            TensorImpl weight = t.own(TensorImpl.empty(log.device(), log.dtype(), Shape.SCALAR));
            TensorImpl rows = t.own(asRows(log));
            TensorImpl classes = t.own(Views.reshape(target, -1));
            log.driver().kernels().nllLoss(out.operand(), weight.operand(), rows.operand(), classes.operand(),
                    reduction.code(), ignoreIndex, log.stream());
            if (Graph.wanted(log)) {
                Node node = Graph.recordUnary("NllLossBackward0", out, log,
                        (n, g) -> nllBackward(n, g, reduction, ignoreIndex, ofSoftmax));
                node.save(Graph.input(node, log), Graph.input(node, target), Graph.input(node, weight));
            }
            return t.give(out);
        }
    }

    private static TensorImpl asRows(TensorImpl a) {
        return a.rank() == 2 ? a.retain() : Views.unsqueeze(a, 0);
    }

    private static TensorImpl nllBackward(Node n, TensorImpl g, Reduction reduction, long ignoreIndex,
            boolean ofSoftmax) {
        try (Temps t = new Temps()) {
            TensorImpl log = n.saved(0);
            if (ofSoftmax && log.rank() == 2 && log.driver().kernels().keepsGradientRows(log.operand())) {
                TensorImpl rows = t.own(TensorImpl.empty(log.device(), log.dtype(), log.shape()));
                log.driver().kernels().nllLossBackwardRows(rows.operand(), g.operand(), n.saved(1).operand(),
                        n.saved(2).operand(), reduction.code(), ignoreIndex, log.stream());
                rows.markGradientRows();
                return t.give(rows);
            }
            TensorImpl out = t.own(Factories.zerosLike(log));
            TensorImpl rows = t.own(asRows(out));
            TensorImpl classes = t.own(Views.reshape(n.saved(1), -1));
            TensorImpl dense = t.own(Copies.contiguous(g));
            log.driver().kernels().nllLossBackward(rows.operand(), dense.operand(), classes.operand(),
                    n.saved(2).operand(),
                    reduction.code(), ignoreIndex, log.stream());
            return t.give(out);
        }
    }

    /** The result of a loss in PyTorch's structured kernel: see the comment at the mean. */
    static TensorImpl mse(TensorImpl a, TensorImpl target, Reduction reduction) {
        return pointwise("MseLossBackward0", ElementOp.SQUARED_ERROR, ElementOp.SQUARED_ERROR_BACKWARD, 2, a, target,
                reduction);
    }

    private static TensorImpl pointwise(String name, ElementOp op, ElementOp backward, double slope, TensorImpl a,
            TensorImpl target, Reduction reduction) {
        long[] shape = Shape.broadcast(a.shape(), target.shape(), "mse loss");
        double scale = reduction == Reduction.MEAN ? slope / Shape.count(shape) : slope;
        DType dtype = Promotion.of(a, target);
        TensorImpl out;
        if (reduction == Reduction.NONE) {
            out = Launch.binary(op, a, target, dtype);
        } else {
            try (Temps t = new Temps()) {
                // PyTorch allocates the result in the shape of the inputs and shrinks it to a scalar when it reduces:
                // the loss keeps the whole storage
                TensorImpl wide = t.own(TensorImpl.empty(a.device(), dtype, shape));
                TensorImpl errors = t.own(Launch.binary(op, a, target, dtype));
                out = t.own(wide.alias(Shape.SCALAR, Shape.SCALAR, 0));
                Reductions.reduceInto(reduction == Reduction.MEAN, out, errors);
                t.give(out);
            }
        }
        if (Graph.wanted(a, target)) {
            Node node = Graph.record(name, out, (n, g) -> {
                try (Temps t = new Temps()) {
                    TensorImpl self = n.wants(0)
                            ? t.own(Launch.nary(backward, g.dtype(), new double[]{scale}, g,
                                    n.saved(0), n.saved(1)))
                            : null;
                    TensorImpl other = n.wants(1)
                            ? t.own(Launch.nary(backward, g.dtype(), new double[]{scale}, g,
                                    n.saved(1), n.saved(0)))
                            : null;
                    return t.give(self, other);
                }
            }, a, target);
            node.save(Graph.input(node, a), Graph.input(node, target));
        }
        return out;
    }

    /** Difference, magnitude, reduction: three operations, as in PyTorch. */
    static TensorImpl l1(TensorImpl a, TensorImpl target, Reduction reduction) {
        try (Temps t = new Temps()) {
            TensorImpl difference = t.own(Elementwise.sub(a, target, 1));
            TensorImpl magnitude = t.own(Pointwise.abs(difference));
            return reduced(magnitude, reduction);
        }
    }

    static TensorImpl reduced(TensorImpl losses, Reduction reduction) {
        return switch (reduction) {
            case NONE -> losses.retain();
            case MEAN -> Reductions.mean(losses, Reductions.ALL, false);
            case SUM -> Reductions.sum(losses, Reductions.ALL, false);
        };
    }

    /** Binary cross-entropy of sigmoid(a); target in [0, 1] of the same shape. */
    static TensorImpl bceWithLogits(TensorImpl a, TensorImpl target, Reduction reduction) {
        if (!Arrays.equals(a.shape(), target.shape())) {
            throw new TensorException("Target size (" + Shape.text(target.shape())
                    + ") must be the same as input size (" + Shape.text(a.shape()) + ") for bceWithLogits.");
        }
        Launch.device("bceWithLogits", a, target);
        TensorImpl out;
        try (Temps t = new Temps(); GradMode.State off = GradMode.enter(false)) {
            // PyTorch holds log(sigmoid(a)) beside the loss; this kernel needs it not
            t.own(TensorImpl.empty(a.device(), a.dtype(), a.shape()));
            TensorImpl losses = t.own(Launch.binary(ElementOp.BCE_WITH_LOGITS, a, target, a.dtype()));
            out = reduced(losses, reduction);
        }
        if (Graph.wanted(a, target)) {
            double count = a.count();
            Node node = Graph.record("BinaryCrossEntropyWithLogitsBackward0", out,
                    (n, g) -> new TensorImpl[]{n.wants(0) ? bceBackward(n, g, reduction, count) : null,
                            n.wants(1) ? bceTarget(n, g, reduction, count) : null},
                    a, target);
            node.save(Graph.input(node, a), Graph.input(node, target));
        }
        return out;
    }

    private static TensorImpl bceBackward(Node n, TensorImpl g, Reduction reduction, double count) {
        try (Temps t = new Temps()) {
            TensorImpl grad = t.own(Pointwise.sigmoid(n.saved(0)));
            Launch.into(ElementOp.SUB, new double[]{1}, grad, grad, n.saved(1));
            Launch.into(ElementOp.MUL, Launch.NONE, grad, grad, g);
            if (reduction == Reduction.MEAN) {
                Launch.into(ElementOp.DIV_SCALAR, new double[]{count}, grad, grad);
            }
            return t.give(grad);
        }
    }

    private static TensorImpl bceTarget(Node n, TensorImpl g, Reduction reduction, double count) {
        try (Temps t = new Temps()) {
            TensorImpl negative = t.own(Pointwise.neg(n.saved(0)));
            Launch.into(ElementOp.MUL, Launch.NONE, negative, negative, g);
            if (reduction == Reduction.MEAN) {
                Launch.into(ElementOp.DIV_SCALAR, new double[]{count}, negative, negative);
            }
            return t.give(negative);
        }
    }
}
