package io.vramlab.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Losses and softmax; docs/footprint.md, "Losses and softmax". */
final class LossRules {

    private static final long NO_REDUCTION = 0;

    private LossRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        for (String name : List.of("mse_loss", "smooth_l1_loss")) {
            rules.put("aten." + name, LossRules::squares);
        }
        rules.put("aten.huber_loss", (o, s) -> {
            long losses = o.number(2, "reduction", 1) == NO_REDUCTION ? 0 : s.take(o.form(0).bytes());
            s.results();
            if (losses != 0) {
                s.reduction(o.form(0), ReductionRules.every(o.form(0)), Math.max(Float.BYTES, o.form(0).element()));
            }
            s.give(losses);
        });
        rules.put("aten.binary_cross_entropy", (o, s) -> binary(o, s, 3));
        rules.put("aten.soft_margin_loss", (o, s) -> binary(o, s, 2));
        rules.put("aten.multi_margin_loss", (o, s) -> {
            s.results();
            s.passing(o.form(0).rank() > 1 ? o.form(0).shape()[0] * o.form(0).element() : 0);
        });
        rules.put("aten.soft_margin_loss_backward", (o, s) -> {
            long bytes = o.form(1).bytes();
            long first = s.take(bytes);
            long second = s.take(bytes);
            long third = s.take(bytes);
            s.give(second);
            s.give(first);
            s.results();
            s.give(third);
        });
        rules.put("aten.multilabel_margin_loss_forward", (o, s) -> {
            s.resultAt(1); // which classes are targets
            boolean summed = o.form(0).rank() > 1 && o.number(2, "reduction", 1) != NO_REDUCTION;
            long rows = summed ? s.take(o.form(0).shape()[0] * o.form(0).element()) : 0;
            s.results();
            s.give(rows);
        });
        rules.put("aten.nll_loss2d_forward", (o, s) -> { // the weights' total before the losses (NLLLoss2d.cu)
            s.resultAt(1);
            s.results();
        });
        rules.put("aten.nll_loss_backward", (o, s) -> {
            s.results();
            s.passing(o.form(0).isContiguous() ? 0 : o.form(0).bytes());
        });
        rules.put("aten.binary_cross_entropy_with_logits", LossRules::logits);
        for (String name : List.of("_softmax", "_log_softmax")) {
            rules.put("aten." + name, (o, s) -> {
                s.results();
                s.passing(o.form(0).isContiguous() ? 0 : o.form(0).bytes());
            });
        }
        rules.put("aten._softmax_backward_data", (o, s) -> {
            s.results();
            long products = s.take(o.form(0).bytes());
            if (!o.form(0).isRepeated() || !o.form(1).isContiguous()) { // a repeated gradient's products lie as the result does
                copies(o, s);
            }
            s.give(products);
        });
        rules.put("aten._log_softmax_backward_data", (o, s) -> {
            s.results();
            copies(o, s);
        });
        rules.put("aten._safe_softmax", LossRules::safe);
        rules.put("aten._ctc_loss", (o, s) -> {
            List<Long> lengths = lengths(o, s);
            s.resultAt(1);
            s.results();
            giveLengths(lengths, s);
        });
        rules.put("aten._ctc_loss_backward", (o, s) -> {
            List<Long> lengths = lengths(o, s);
            long states = s.take(o.form(6).bytes());
            boolean many = isMany(o.form(1).shape());
            long gradient = many && o.flag(8, "zero_infinity", false) ? s.take(o.form(1).bytes()) : 0;
            if (gradient == 0) {
                s.results();
            }
            if (many) {
                blanks(o, s);
            }
            if (gradient != 0) { // what became infinite is zero in another one
                long zero = s.take(o.form(1).element());
                long infinite = s.take(o.form(1).shape()[1]);
                s.results();
                s.give(infinite);
                s.give(zero);
                s.give(gradient);
            }
            s.give(states);
            giveLengths(lengths, s);
        });
    }

    private static final long MANY = 450;

    /** Of many steps, sequences and labels the gradient is made of operations, of fewer by one kernel (LossCTC.cu, is_large). */
    private static boolean isMany(long[] scores) {
        return 2 * scores[0] + 24 * scores[1] / 10 + 2 * scores[2] / 10 > MANY;
    }

    /** The blanks' gradient is summed by itself: logsumexp over every other state. */
    private static void blanks(Operation o, RuleSteps s) {
        long[] scores = o.form(1).shape();
        TensorForm states = o.form(6);
        long rows = scores[0] * scores[1] * states.element();
        long sums = s.take(rows * ((states.shape()[2] - 1) / 2 + 1));
        long largest = s.take(rows);
        long positive = s.take(rows);
        s.passing(rows / states.element());
        s.give(positive);
        long powers = s.take(rows * ((states.shape()[2] - 1) / 2 + 1));
        long blanks = s.take(rows);
        s.give(powers);
        s.give(largest);
        s.give(blanks);
        s.give(sums);
    }

    /** Lengths of inputs and targets, and where each target begins (LossCTC.cu). */
    private static List<Long> lengths(Operation o, RuleSteps s) {
        List<Long> taken = new ArrayList<>();
        TensorForm scores = o.form(o.base().endsWith("backward") ? 1 : 0);
        for (int i = 0; i < 3; i++) {
            taken.add(s.take(scores.shape()[1] * Long.BYTES));
        }
        return taken;
    }

    /** Where each target begins goes last, as it was made first in PyTorch's source (ctc_loss_gpu_template). */
    private static void giveLengths(List<Long> lengths, RuleSteps s) {
        s.give(lengths.get(1));
        s.give(lengths.get(0));
        s.give(lengths.get(2));
    }

    /** Kernels read gradient and result as rows side by side. */
    private static void copies(Operation o, RuleSteps s) {
        List<Long> taken = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            if (!o.form(i).isContiguous()) {
                taken.add(s.take(o.form(i).bytes()));
            }
        }
        s.give(taken);
    }

    /** Rows of nothing but minus infinity are looked for in the result, and cleared. */
    private static void safe(Operation o, RuleSteps s) {
        s.results();
        TensorForm in = o.form(0);
        long masked = s.take(in.count());
        int d = (int) o.number(1, "dim", -1);
        long rows = s.take(in.rank() == 0 ? 1 : in.count() / Math.max(1, in.shape()[d < 0 ? d + in.rank() : d]));
        s.passing((long) in.element());
        s.give(rows);
        s.give(masked);
    }

    /** The result was made as large as the inputs and cut down; the losses are a temporary. */
    private static void squares(Operation o, RuleSteps s) {
        TensorForm in = o.form(0);
        if (o.number(2, "reduction", 1) == NO_REDUCTION) {
            return;
        }
        s.result(in.bytes());
        long losses = s.take(in.bytes());
        s.reduction(in, ReductionRules.every(in), Math.max(Float.BYTES, in.element()));
        s.give(losses);
    }

    /** So was this result; the sum is a temporary of its own. */
    private static void binary(Operation o, RuleSteps s, int reduction) {
        TensorForm in = o.form(0);
        s.result(in.bytes());
        if (o.number(reduction, "reduction", 1) != NO_REDUCTION) {
            long sum = s.take(in.element());
            s.reduction(in, ReductionRules.every(in), Math.max(Float.BYTES, in.element()));
            s.give(sum);
        }
    }

    /** Logarithms of the sigmoids; then the weights of the positive class less 1, times the targets. */
    private static long logarithms(Operation o, RuleSteps s) {
        long logarithm = s.take(o.form(0).bytes());
        if (o.argument(3, "pos_weight") instanceof TensorRef positive) {
            long less = s.take(positive.form().bytes());
            long weight = s.take(o.form(0).bytes());
            s.give(less);
            s.give(weight);
        }
        return logarithm;
    }

    private static void logits(Operation o, RuleSteps s) {
        TensorForm in = o.form(0);
        if (o.number(4, "reduction", 1) == NO_REDUCTION) {
            long logarithm = logarithms(o, s);
            s.results();
            s.give(logarithm);
            return;
        }
        long logarithm = logarithms(o, s);
        long losses = s.take(in.bytes());
        s.results();
        s.reduction(in, ReductionRules.every(in), Math.max(Float.BYTES, in.element()));
        s.give(losses);
        s.give(logarithm);
    }
}
