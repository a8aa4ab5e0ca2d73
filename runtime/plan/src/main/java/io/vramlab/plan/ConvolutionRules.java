package io.vramlab.plan;

import io.vramlab.footprint.Convolution;
import io.vramlab.footprint.Convolution.Pass;
import io.vramlab.footprint.ConvolutionWorkspace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Convolutions: results, copies of operands that lie otherwise than cuDNN reads them, and its workspaces. */
final class ConvolutionRules {

    /** Dimensions of images over time, or of volumes: batch, channels and three. */
    private static final int VOLUME = 5;
    private static final List<Pass> GRADIENTS = List.of(Pass.INPUT, Pass.WEIGHT);

    private ConvolutionRules() {
    }

    static void add(Map<String, Rule> rules) {
        rules.put("aten.convolution", ConvolutionRules::forward);
        rules.put("aten.convolution_backward", ConvolutionRules::backward);
    }

    private static void forward(Operation o, Steps s) {
        Form out = Operation.forms(o.result()).getFirst();
        Convolved c = Convolved.of(o.form(0), o.form(1), out, o.argument(3), o.argument(4), o.argument(5),
                o.flag(6, "transposed", false), o.number(8, "groups", 1));
        if (c.isPyTorchs()) {
            s.results();
            return;
        }
        List<Long> copies = copies(s, c.last(), o.form(0), o.form(1));
        s.results();
        s.estimated();
        workspace(c.product(Pass.FORWARD), o.answer(0), s);
        s.give(copies);
    }

    /** The input's gradient, the weight's, then the bias's, a sum over all dimensions but the channels. */
    private static void backward(Operation o, Steps s) {
        Form gradient = o.form(0);
        Convolved c = Convolved.of(o.form(1), o.form(2), gradient, o.argument(4), o.argument(5), o.argument(6),
                o.flag(7, "transposed", false), o.number(9, "groups", 1));
        List<Long> copies = copies(s, c.last(), gradient, o.form(1), o.form(2));
        List<?> mask = o.argument(10) instanceof List<?> list ? list : List.of(true, true, true);
        if (!c.isPyTorchs()) {
            s.estimated();
        }
        if (c.isPyTorchs() && gradient.rank() < VOLUME && Boolean.TRUE.equals(mask.get(0))
                && Boolean.TRUE.equals(mask.get(1))) {
            s.resultAt(1); // PyTorch's own kernel over one and two dimensions begins with the weight
        }
        for (int i = 0; i < GRADIENTS.size(); i++) {
            if (Boolean.TRUE.equals(mask.get(i))) {
                s.result();
                if (!c.isPyTorchs()) {
                    workspace(c.product(GRADIENTS.get(i)), o.answer(i), s);
                }
            }
        }
        s.results();
        if (Boolean.TRUE.equals(mask.get(2))) {
            boolean[] reduced = new boolean[gradient.rank()];
            Arrays.fill(reduced, true);
            reduced[1] = false;
            s.reduction(gradient, reduced, Math.max(Float.BYTES, gradient.element()));
        }
        s.give(copies);
    }

    private static void workspace(Convolution product, long answer, Steps s) {
        s.chosen(ConvolutionWorkspace.least(product, answer), ConvolutionWorkspace.bytes(product, answer),
                ConvolutionWorkspace.most(product, answer));
    }

    /** cuDNN wants its operands in one order, channels side by side where one of them has them so. */
    private static List<Long> copies(Steps s, boolean last, Form... forms) {
        List<Long> taken = new ArrayList<>();
        for (Form form : forms) {
            if (last ? !form.isSideBySide() : !form.isContiguous()) {
                taken.add(s.take(form.bytes()));
            }
        }
        return taken;
    }
}
