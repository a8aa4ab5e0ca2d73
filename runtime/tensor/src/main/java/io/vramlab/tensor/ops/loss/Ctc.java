package io.vramlab.tensor.ops.loss;

import io.vramlab.tensor.core.Graph;
import io.vramlab.tensor.core.Node;
import io.vramlab.tensor.core.Shape;
import io.vramlab.tensor.core.Temps;
import io.vramlab.tensor.core.TensorException;
import io.vramlab.tensor.core.TensorImpl;
import io.vramlab.tensor.ops.index.Sorts;
import io.vramlab.tensor.ops.pointwise.Elementwise;
import io.vramlab.tensor.ops.view.Views;
import io.vramlab.tensor.values.HostValues;
import io.vramlab.tensor.values.NonZero;
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
        NonZero.requireValues(logProbs, "ctcLoss");
        int n = inputLengths.length;
        int classes = (int) logProbs.shape()[2];
        double[] log = HostValues.doubles(logProbs);
        long[] all = HostValues.longs(targets);
        double[] losses = new double[n];
        double[] slopes = new double[log.length];
        int longest = (int) targets.shape()[1];
        for (int b = 0; b < n; b++) {
            long[] target = Arrays.copyOfRange(all, b * longest, b * longest + (int) targetLengths[b]);
            losses[b] = one(log, slopes, target, (int) inputLengths[b], b, n, classes, blank, zeroInfinity);
        }
        try (Temps t = new Temps()) {
            TensorImpl each = t.own(TensorImpl.empty(logProbs.device(), logProbs.dtype(), n));
            Sorts.send(each, losses);
            if (Graph.wanted(logProbs)) {
                TensorImpl slope = t.own(Sorts.sent(logProbs, slopes));
                Node node = Graph.recordUnary("CtcLossBackward0", each, logProbs, (m, g) -> {
                    try (Temps u = new Temps()) {
                        return Elementwise.mul(u.own(Views.unsqueeze(g, 1)), m.saved(0));
                    }
                });
                node.save(Graph.input(node, slope));
            }
            if (reduction != Reduction.MEAN) {
                return Losses.reduced(each, reduction);
            }
            TensorImpl lengths = t.own(TensorImpl.empty(logProbs.device(), logProbs.dtype(), n));
            Sorts.send(lengths, Arrays.stream(targetLengths).mapToDouble(l -> Math.max(1, l)).toArray());
            return Losses.reduced(t.own(Elementwise.div(each, lengths)), reduction);
        }
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
