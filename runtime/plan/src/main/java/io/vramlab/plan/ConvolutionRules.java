package io.vramlab.plan;

import io.vramlab.footprint.Convolution.Pass;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Convolutions: results, copies of operands that lie otherwise than cuDNN reads them, and its workspaces (Conv_v8.cpp). */
final class ConvolutionRules {

    /** Dimensions of images over time, or of volumes: batch, channels and three. */
    private static final int VOLUME = 5;

    private ConvolutionRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten.convolution", ConvolutionRules::forward);
        rules.put("aten.convolution_backward", ConvolutionRules::backward);
    }

    private static void forward(Operation o, RuleSteps s) {
        TensorForm in = o.form(0);
        TensorForm out = Operation.forms(o.result()).getFirst();
        Convolved c = s.convolutions().layer(in, o.form(1), out, o.argument(3), o.argument(4), o.argument(5),
                o.flag(6, "transposed", false), o.number(8, "groups", 1));
        long copied = packed(s, c, in);
        long filter = c.isPyTorchs() && in.rank() < VOLUME ? packed(s, c, o.form(1)) : 0;
        s.results();
        s.give(filter);
        if (!c.isPyTorchs()) {
            s.estimated();
            long weight = packed(s, c, o.form(1));
            s.tried().product(c, Pass.FORWARD, o.cudnn(), 0, s);
            s.give(weight);
        }
        s.give(copied);
    }

    /** The input's gradient, the weight's, then the bias's, a sum over all dimensions but the channels. */
    private static void backward(Operation o, RuleSteps s) {
        TensorForm gradient = o.form(0);
        Convolved c = s.convolutions().layer(o.form(1), o.form(2), gradient, o.argument(4), o.argument(5),
                o.argument(6),
                o.flag(7, "transposed", false), o.number(9, "groups", 1));
        List<?> mask = o.argument(10) instanceof List<?> list ? list : List.of(true, true, true);
        boolean input = Boolean.TRUE.equals(mask.get(0));
        boolean weight = Boolean.TRUE.equals(mask.get(1));
        if (c.isPyTorchs()) {
            long read = packed(s, c, o.form(1));
            long copied = packed(s, c, gradient);
            boolean weightFirst = gradient.rank() < VOLUME && input && weight;
            if (weightFirst) {
                s.resultAt(1); // PyTorch's own kernel over one and two dimensions begins with the weight
            }
            if (input) {
                s.result();
            }
            if (weight && !weightFirst) {
                s.result();
            }
            s.give(copied);
            s.give(read);
        } else {
            s.estimated();
            long in = weight ? packed(s, c, o.form(1)) : 0;
            boolean sideBySide = o.form(1).suggestsChannelsLast() && o.form(1).rank() > 3
                    || o.form(2).suggestsChannelsLast();
            boolean turned = gradient.suggestsChannelsLast() != sideBySide;
            long whole = c.transposed() ? packed(s, c, gradient) : turned ? s.take(gradient.bytes()) : 0;
            if (input) {
                s.result();
                long w = packed(s, c, o.form(2));
                long g = whole != 0 ? 0 : packed(s, c, gradient);
                s.tried().product(c, Pass.INPUT, o.cudnn(), 0, s);
                s.give(g);
                s.give(w);
            }
            if (weight) {
                long g = whole != 0 ? 0 : packed(s, c, gradient);
                s.result();
                s.tried().product(c, Pass.WEIGHT, o.cudnn(), 1, s);
                s.give(g);
            }
            s.give(whole);
            s.give(in);
        }
        s.results();
        if (Boolean.TRUE.equals(mask.get(2))) {
            boolean[] reduced = new boolean[gradient.rank()];
            Arrays.fill(reduced, true);
            reduced[1] = false;
            s.reduction(gradient, reduced, Math.max(Float.BYTES, gradient.element()));
        }
    }

    /** cuDNN wants its operands in one order, channels side by side where one of them has them so; 0 for no copy. */
    private static long packed(RuleSteps s, Convolved c, TensorForm form) {
        boolean lies = c.last() ? form.isSideBySide() : form.isContiguous();
        return lies ? 0 : s.take(form.bytes());
    }
}
