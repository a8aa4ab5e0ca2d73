package io.vramlab.tensor.internal.ops.loss;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.pointwise.Elementwise;
import io.vramlab.tensor.internal.ops.pointwise.Selection;
import io.vramlab.tensor.internal.values.HostLoops;
import io.vramlab.tensor.type.Reduction;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/** Connectionist temporal classification by Graves' forward and backward variables, in double on the host. */
public final class Ctc {

    private static final double NEVER = Double.NEGATIVE_INFINITY;

    private Ctc() {
    }

    public static TensorImpl loss(TensorImpl logProbs, TensorImpl targets, long[] inputLengths, long[] targetLengths,
            int blank,
            Reduction reduction, boolean zeroInfinity) {
        if (logProbs.rank() != 3 || targets.rank() != 2 || inputLengths.length != logProbs.shape()[1]
                || targetLengths.length != logProbs.shape()[1]) {
            throw new TensorException("ctc_loss was asked of log-probabilities of shape " + Shape.text(logProbs.shape())
                    + " and targets of shape " + Shape.text(targets.shape())
                    + ": they are [time, n, classes] and [n, longest], with n lengths each.");
        }
        int n = inputLengths.length;
        long longest = Arrays.stream(targetLengths).max().orElse(0);
        long[] variables = {n, logProbs.shape()[0], 2 * longest + 1};
        Settings settings = new Settings(inputLengths.clone(), targetLengths.clone(), blank, zeroInfinity);
        try (Temps t = new Temps()) {
            TensorImpl each;
            TensorImpl alpha;
            try (Temps u = new Temps()) {
                lengths(u, logProbs, n);
                alpha = t.own(TensorImpl.empty(logProbs.device(), logProbs.dtype(), variables));
                each = t.own(TensorImpl.empty(logProbs.device(), logProbs.dtype(), n));
                HostLoops.fill(each, () -> losses(logProbs, targets, settings, null));
            }
            if (Graph.wanted(logProbs)) {
                Node node = Graph.recordUnary("CtcLossBackward0", each, logProbs, (m, g) -> backward(m, g, settings));
                // the losses too, as PyTorch's node
                node.save(Graph.input(node, logProbs), Graph.input(node, targets), Graph.result(node, each),
                        Graph.input(node, alpha));
            }
            t.free(alpha);
            if (reduction != Reduction.MEAN) {
                return Losses.reduced(each, reduction);
            }
            // as they come from the host, in whole numbers, then in the loss's dtype and not below one
            TensorImpl given = t.own(TensorImpl.empty(logProbs.device(), logProbs.dtype(), n));
            HostLoops.fill(given, () -> Arrays.stream(targetLengths).mapToDouble(l -> l).toArray());
            TensorImpl atLeastOne = t.own(Selection.clamp(given, 1, Double.POSITIVE_INFINITY));
            t.free(given);
            TensorImpl parts = t.own(Elementwise.div(each, atLeastOne));
            TensorImpl out = t.own(Losses.reduced(parts, reduction));
            t.free(parts);
            return t.give(out);
        }
    }

    private record Settings(long[] inputLengths, long[] targetLengths, int blank, boolean zeroInfinity) {
    }

    /** Lengths of inputs and targets, and where each target begins: int64 on the device. */
    private static void lengths(Temps t, TensorImpl like, int n) {
        for (int i = 0; i < 3; i++) {
            t.own(TensorImpl.empty(like.device(), DType.INT64, n));
        }
    }

    private static TensorImpl backward(Node m, TensorImpl g, Settings settings) {
        TensorImpl logProbs = m.saved(0);
        try (Temps t = new Temps()) {
            lengths(t, logProbs, settings.inputLengths.length);
            TensorImpl beta = t.own(TensorImpl.empty(logProbs.device(), logProbs.dtype(), m.saved(3).shape()));
            TensorImpl out = t.own(TensorImpl.empty(logProbs.device(), logProbs.dtype(), logProbs.shape()));
            HostLoops.fill(out, () -> {
                double[] slopes = new double[Math.toIntExact(logProbs.count())];
                losses(logProbs, m.saved(1), settings, slopes);
                double[] from = HostLoops.read(g);
                int classes = (int) logProbs.shape()[2];
                for (int i = 0; i < slopes.length; i++) {
                    slopes[i] *= from[i / classes % from.length];
                }
                return slopes;
            });
            t.free(beta);
            return t.give(out);
        }
    }

    /** The losses of all sequences; their slopes for the log-probabilities are written where wanted. */
    private static double[] losses(TensorImpl logProbs, TensorImpl targets, Settings s, double[] slopes) {
        double[] log = HostLoops.read(logProbs);
        double[] all = HostLoops.read(targets);
        int n = s.inputLengths.length;
        int classes = (int) logProbs.shape()[2];
        int longest = (int) targets.shape()[1];
        double[] losses = new double[n];
        double[] written = slopes == null ? new double[log.length] : slopes;
        for (int b = 0; b < n; b++) {
            long[] target = Arrays.stream(all, b * longest, b * longest + (int) s.targetLengths[b])
                    .mapToLong(v -> (long) v).toArray();
            losses[b] = one(log, written, target, (int) s.inputLengths[b], b, n, classes, s.blank, s.zeroInfinity);
        }
        return losses;
    }

    /** The loss of one sequence; its slopes for the log-probabilities are written. */
    private static double one(double[] log, double[] slopes, long[] target, int time, int b, int n, int classes,
            int blank,
            boolean zeroInfinity) {
        int states = 2 * target.length + 1;
        double[][] alpha = new double[time][states];
        double[][] beta = new double[time][states];
        for (int s = 0; s < time; s++) {
            Arrays.fill(alpha[s], NEVER);
            Arrays.fill(beta[s], NEVER);
        }
        for (int at = 0; at < time; at++) {
            for (int s = 0; s < states; s++) {
                double before = at == 0
                        ? s <= 1 ? 0 : NEVER
                        : sum(alpha[at - 1][s], s > 0 ? alpha[at - 1][s - 1] : NEVER,
                                skips(target, s, blank) ? alpha[at - 1][s - 2] : NEVER);
                alpha[at][s] = before + log[(at * n + b) * classes + label(target, s, blank)];
            }
        }
        for (int at = time - 1; at >= 0; at--) {
            for (int s = states - 1; s >= 0; s--) {
                double after = at == time - 1
                        ? s >= states - 2 ? 0 : NEVER
                        : sum(beta[at + 1][s], s + 1 < states ? beta[at + 1][s + 1] : NEVER,
                                s + 2 < states && skips(target, s + 2, blank) ? beta[at + 1][s + 2] : NEVER);
                beta[at][s] = after + log[(at * n + b) * classes + label(target, s, blank)];
            }
        }
        double likelihood = time == 0
                ? target.length == 0 ? 0 : NEVER
                : sum(alpha[time - 1][states - 1], states > 1 ? alpha[time - 1][states - 2] : NEVER, NEVER);
        if (likelihood == NEVER) {
            return zeroInfinity ? 0 : Double.POSITIVE_INFINITY;
        }
        for (int at = 0; at < time; at++) {
            for (int s = 0; s < states; s++) {
                int cell = (at * n + b) * classes + label(target, s, blank);
                slopes[cell] -= Math.exp(alpha[at][s] + beta[at][s] - log[cell] - likelihood);
            }
            for (int c = 0; c < classes; c++) {
                // as PyTorch: the gradient for what went into log softmax too, whose own backward leaves it as it is
                slopes[(at * n + b) * classes + c] += Math.exp(log[(at * n + b) * classes + c]);
            }
        }
        return -likelihood;
    }

    private static int label(long[] target, int state, int blank) {
        return state % 2 == 0 ? blank : (int) target[state / 2];
    }

    private static boolean skips(long[] target, int state, int blank) {
        return state >= 2 && state % 2 == 1 && target[state / 2] != target[state / 2 - 1]
                && target[state / 2] != blank;
    }

    private static double sum(double a, double b, double c) {
        double most = Math.max(a, Math.max(b, c));
        return most == NEVER
                ? NEVER
                : most + Math.log(Math.exp(a - most) + Math.exp(b - most) + Math.exp(c - most));
    }
}
