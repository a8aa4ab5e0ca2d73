package io.vramlab.tensor.internal.ops.loss;

import io.vramlab.device.DType;
import io.vramlab.device.ElementOp;
import io.vramlab.device.Operand;
import io.vramlab.tensor.internal.core.AutocastMode;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Launch;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.index.Lookup;
import io.vramlab.tensor.internal.ops.index.MaskedElements;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.pointwise.Pointwise;
import io.vramlab.tensor.internal.ops.reduce.Reductions;
import io.vramlab.tensor.internal.ops.reduce.Softmax;
import io.vramlab.tensor.internal.ops.reduce.Sums;
import io.vramlab.tensor.internal.ops.view.MemoryOrder;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.internal.values.NonZero;
import io.vramlab.tensor.type.MemoryFormat;
import io.vramlab.tensor.type.Reduction;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/**
 * Negative log likelihood of classes, and the cross-entropies made of it, as PyTorch composes them. Log-probabilities are
 * [classes], [n, classes] or [n, classes, d1, …], classes [], [n] or [n, d1, …].
 */
public final class ClassLosses {

    /** Dimensions of log-probabilities of planes. */
    private static final int PLANES = 4;

    /**
     * What a cross-entropy may be told.
     *
     * @param weight
     *            of each class, [classes], or null
     * @param ignoreIndex
     *            a class that does not count
     * @param labelSmoothing
     *            share of the target that is spread over all classes, in [0, 1]
     */
    public record Options(TensorImpl weight, Reduction reduction, long ignoreIndex, double labelSmoothing) {
    }

    private ClassLosses() {
    }

    public static TensorImpl crossEntropy(TensorImpl a, TensorImpl target, Options o) {
        if (a.rank() == 0) {
            throw new TensorException("cross entropy was asked of a scalar: it takes [classes], [n, classes] or "
                    + "[n, classes, …].");
        }
        if (Arrays.equals(a.shape(), target.shape()) && target.dtype().isFloatingPoint()) {
            return ofProbabilities(a, target, o);
        }
        checkTarget(a, target);
        TensorImpl log = Softmax.of(a, a.rank() == 1 ? 0 : 1, true);
        try {
            // under autocast the softmax stays in the logits' dtype and the loss is float32, as PyTorch's traces show
            // nobody else sees the log-probabilities: unless they were converted, their gradient goes to the softmax alone
            return AutocastMode.full(x -> {
                Options own = new Options(x[1], o.reduction, o.ignoreIndex, o.labelSmoothing);
                return o.labelSmoothing > 0
                        ? smoothed(x[0], target, own)
                        : nll(x[0], target, own, x[0] == log);
            }, log, o.weight);
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
        long[] wanted = a.rank() == 1 ? Shape.SCALAR : Views.remove(a.shape(), 1);
        if (!Arrays.equals(wanted, target.shape())) {
            throw new TensorException("Expected input batch_size (" + Shape.text(a.shape())
                    + ") to match target batch_size (" + Shape.text(target.shape()) + "): give one class per row, "
                    + Shape.text(wanted) + ".");
        }
    }

    public static TensorImpl nll(TensorImpl log, TensorImpl target, Options o) {
        return nll(log, target, o, false);
    }

    private static TensorImpl nll(TensorImpl given, TensorImpl classOf, Options o, boolean ofSoftmax) {
        checkTarget(given, classOf);
        int rank = given.rank();
        if (rank == PLANES || rank <= 2) {
            return packedNll(given, classOf, o, ofSoftmax);
        }
        // PyTorch views others as planes, for which they are copied before, within the graph (nll_loss_nd)
        try (Temps t = new Temps()) {
            return packedNll(t.own(MemoryOrder.as(given, MemoryFormat.CONTIGUOUS)), t.own(Copies.contiguous(classOf)),
                    o, ofSoftmax);
        }
    }

    private static TensorImpl packedNll(TensorImpl log, TensorImpl target, Options o, boolean ofSoftmax) {
        long classes = log.shape()[log.rank() == 1 ? 0 : 1];
        if (o.weight != null && !Arrays.equals(o.weight.shape(), new long[]{classes})) {
            throw new TensorException("weight tensor should be defined either for all " + classes
                    + " classes or no classes but got weight tensor of shape: " + Shape.text(o.weight.shape()) + ".");
        }
        long[] shape = o.reduction == Reduction.NONE ? target.shape() : Shape.SCALAR;
        try (Temps t = new Temps()) {
            // of more dimensions, PyTorch's kernel makes the total first
            boolean planes = log.rank() > 2;
            TensorImpl total = planes ? t.own(TensorImpl.empty(log.device(), log.dtype(), Shape.SCALAR)) : null;
            TensorImpl out = t.own(TensorImpl.empty(log.device(), log.dtype(), shape));
            if (!planes) {
                total = t.own(TensorImpl.empty(log.device(), log.dtype(), Shape.SCALAR));
            }
            TensorImpl dense = log.rank() > 2 ? t.own(Copies.contiguous(log)) : log;
            TensorImpl at = t.own(Copies.contiguous(target));
            log.driver().kernels().nllLoss(flat(out), total.operand(), byClass(dense), flat(at),
                    o.weight == null ? null : o.weight.operand(), o.reduction.code(), o.ignoreIndex, log.stream());
            if (Graph.wanted(log)) {
                Node node = Graph.recordUnary(log.rank() > 2 ? "NllLoss2DBackward0" : "NllLossBackward0", out, log,
                        (n, g) -> nllBackward(n, g, o.reduction, o.ignoreIndex, ofSoftmax));
                node.save(Graph.input(node, log), Graph.input(node, target), Graph.input(node, total),
                        Graph.inputIf(o.weight != null, node, o.weight));
            }
            return t.give(out);
        }
    }

    /** Classes last: rows of log-probabilities, whatever lies between. */
    private static Operand byClass(TensorImpl log) {
        int rank = log.rank();
        if (rank <= 2) {
            return rank == 2 ? log.operand() : log.operand(new long[]{1, log.shape()[0]});
        }
        long[] shape = new long[rank];
        long[] strides = new long[rank];
        for (int d = 0, to = 0; d < rank; d++) {
            int place = d == 1 ? rank - 1 : to++;
            shape[place] = log.shape()[d];
            strides[place] = log.strides()[d];
        }
        return new Operand(log.operand().address(), log.dtype(), shape, strides);
    }

    private static Operand flat(TensorImpl a) {
        long[] shape = {a.count()};
        return new Operand(a.operand().address(), a.dtype(), shape, Shape.contiguous(shape));
    }

    /** The gradient is linear in the incoming one, and knows of the log-probabilities their shape alone. */
    private static void tie(TensorImpl out, TensorImpl g, TensorImpl log, TensorImpl target, Options o) {
        if (!Graph.wanted(g, log)) {
            return;
        }
        Node node = Graph.record(log.rank() > 2 ? "NllLoss2DBackwardBackward0" : "NllLossBackwardBackward0", out,
                (n, second) -> {
                    try (Temps t = new Temps()) {
                        Options own = new Options(n.saved(1), o.reduction, o.ignoreIndex, 0);
                        TensorImpl incoming = n.wants(0) ? t.own(nll(second, n.saved(0), own)) : null;
                        TensorImpl kept = n.wants(1) ? t.own(Factories.zerosLike(second)) : null;
                        return t.give(incoming, kept);
                    }
                }, g, log);
        node.save(Graph.input(node, target), Graph.inputIf(o.weight != null, node, o.weight));
    }

    private static TensorImpl nllBackward(Node n, TensorImpl g, Reduction reduction, long ignoreIndex,
            boolean ofSoftmax) {
        try (Temps t = new Temps()) {
            TensorImpl log = n.saved(0);
            TensorImpl at = t.own(Copies.contiguous(n.saved(1)));
            if (ofSoftmax && !GradMode.isEnabled() && n.saved(3) == null && log.rank() == 2
                    && log.driver().kernels().keepsGradientRows(log.operand())) {
                TensorImpl rows = t.own(TensorImpl.empty(log.device(), log.dtype(), log.shape()));
                log.driver().kernels().nllLossBackwardRows(rows.operand(), g.operand(), at.operand(),
                        n.saved(2).operand(), reduction.code(), ignoreIndex, log.stream());
                rows.markGradientRows();
                return t.give(rows);
            }
            TensorImpl out = t.own(Factories.zerosLike(log));
            TensorImpl dense = t.own(Copies.contiguous(g));
            log.driver().kernels().nllLossBackward(byClass(out), flat(dense), flat(at), n.saved(2).operand(),
                    n.saved(3) == null ? null : n.saved(3).operand(), reduction.code(), ignoreIndex, log.stream());
            tie(out, g, log, n.saved(1), new Options(n.saved(3), reduction, ignoreIndex, 0));
            return t.give(out);
        }
    }

    /** Part of the target spread over all classes: PyTorch's cross_entropy_loss_label_smoothing. */
    private static TensorImpl smoothed(TensorImpl log, TensorImpl target, Options o) {
        requireShare(o.labelSmoothing);
        int dim = log.rank() == 1 ? 0 : 1;
        long classes = log.shape()[dim];
        try (Temps t = new Temps()) {
            TensorImpl hard = t.own(nll(log, target, o, false));
            TensorImpl smooth = t.own(spread(log, o.weight, dim));
            TensorImpl ignored = t.own(Elementwise.compare(ElementOp.EQ_SCALAR, target,
                    o.ignoreIndex));
            InPlace.maskedFill(smooth, ignored, 0);
            TensorImpl soft = switch (o.reduction) {
                case NONE -> t.own(smooth.retain());
                case SUM -> t.own(Sums.sum(smooth, Reductions.ALL, false));
                case MEAN -> t.own(mean(smooth, target, ignored, o.weight));
            };
            TensorImpl first = t.own(Elementwise.mul(hard, 1 - o.labelSmoothing, false));
            TensorImpl second = t.own(Elementwise.mul(soft, o.labelSmoothing / classes, false));
            return Elementwise.add(first, second, 1);
        }
    }

    private static void requireShare(double labelSmoothing) {
        if (!(labelSmoothing >= 0 && labelSmoothing <= 1)) {
            throw new TensorException("label_smoothing must be between 0.0 and 1.0. Got: " + labelSmoothing + ".");
        }
    }

    /** The negated sum over the classes, each times its weight. */
    private static TensorImpl spread(TensorImpl log, TensorImpl weight, int dim) {
        try (Temps t = new Temps()) {
            TensorImpl sum;
            if (weight == null) {
                sum = t.own(Sums.sum(log, new int[]{dim}, false));
            } else {
                TensorImpl product = t.own(Elementwise.mul(log, t.own(alongClasses(weight, log.rank(), dim))));
                sum = t.own(Sums.sum(product, new int[]{dim}, false));
            }
            return Pointwise.neg(sum);
        }
    }

    private static TensorImpl alongClasses(TensorImpl weight, int rank, int dim) {
        long[] shape = new long[rank];
        Arrays.fill(shape, 1);
        shape[dim] = weight.count();
        return Views.view(weight, shape);
    }

    /** Over the targets that count, by their weights. */
    private static TensorImpl mean(TensorImpl smooth, TensorImpl target, TensorImpl ignored, TensorImpl weight) {
        try (Temps t = new Temps()) {
            TensorImpl counts = t.own(Launch.unary(ElementOp.NOT, ignored, DType.BOOL));
            TensorImpl total;
            if (weight == null) {
                total = t.own(Sums.sum(counts, Reductions.ALL, false));
            } else {
                // a target that does not count may lie outside the classes
                TensorImpl at = t.own(counted(target, counts));
                TensorImpl weights = t.own(Lookup.gather(weight, 0, at));
                total = t.own(Sums.sum(weights, Reductions.ALL, false));
            }
            // the divisor is computed first: the order in which PyTorch's compiler evaluates the operands
            return Elementwise.div(t.own(Sums.sum(smooth, Reductions.ALL, false)), total);
        }
    }

    /** The classes that count, flat; where there are no values, as many as if all did. */
    private static TensorImpl counted(TensorImpl target, TensorImpl counts) {
        if (target.driver().holdsValues()) {
            return MaskedElements.select(target, counts);
        }
        try (Temps t = new Temps()) {
            t.own(NonZero.ofAll(counts));
            return t.give(t.own(TensorImpl.empty(target.device(), DType.INT64, target.count())));
        }
    }

    /** Targets that are probabilities of all classes: PyTorch's cross_entropy_loss_prob_target. */
    private static TensorImpl ofProbabilities(TensorImpl a, TensorImpl given, Options o) {
        int dim = a.rank() == 1 ? 0 : 1;
        long classes = a.shape()[dim];
        requireShare(o.labelSmoothing);
        try (Temps t = new Temps()) {
            TensorImpl log = t.own(Softmax.of(a, dim, true));
            TensorImpl target = given;
            if (o.labelSmoothing > 0) {
                TensorImpl kept = t.own(Elementwise.mul(given, 1 - o.labelSmoothing, false));
                target = t.own(Elementwise.add(kept, o.labelSmoothing / classes, false));
                t.free(kept);
            }
            TensorImpl product = t.own(Elementwise.mul(log, target));
            if (o.weight != null) {
                TensorImpl weighted = t.own(Elementwise.mul(product, t.own(alongClasses(o.weight, a.rank(), dim))));
                product = weighted;
            }
            int[] dims = o.reduction == Reduction.NONE ? new int[]{dim} : Reductions.ALL;
            TensorImpl sum = t.own(Sums.sum(product, dims, false));
            TensorImpl negative = t.own(Pointwise.neg(sum));
            return o.reduction == Reduction.MEAN
                    ? Elementwise.div(negative, (double) a.count() / classes)
                    : t.give(negative);
        }
    }
}
