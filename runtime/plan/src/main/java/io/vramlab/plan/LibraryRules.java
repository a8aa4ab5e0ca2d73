package io.vramlab.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What cuDNN takes. Its workspaces are the choice of its heuristics; the rules here are estimates read off an H200's runs,
 * and told as such: docs/plan.md, "What is exact, and what is not".
 */
final class LibraryRules {

    /** Channels side by side are padded to whole vectors of 16 bytes. */
    private static final long VECTOR = 16;
    private static final long FLAGS = 16;
    private static final long FEW_CHANNELS = 8;
    /** Above this many, float32 outputs are written as they shall lie. */
    private static final long FEW_POSITIONS = 4_096;
    private static final long PIECES = 4L << 20;
    private static final int FIRST = 10;
    private static final int FIRST_BACKWARD = 14;
    private static final int OUTPUT_GRADIENT = 7;
    /** Output, hidden state and cells among the arguments of backward, each with its gradient. */
    private static final int[][] GRADIENTS = {{6, OUTPUT_GRADIENT}, {4, 8}, {5, 9}};

    private LibraryRules() {
    }

    static void add(Map<String, Rule> rules) {
        rules.put("aten.convolution", LibraryRules::convolution);
        rules.put("aten.convolution_backward", LibraryRules::convolutionBackward);
        rules.put("aten._cudnn_rnn", LibraryRules::recurrent);
        rules.put("aten._cudnn_rnn_backward", LibraryRules::recurrentBackward);
        rules.put("aten.roll", LibraryRules::roll);
    }

    /** One dimension after the other. */
    private static void roll(Operation o, Steps s) {
        int dimensions = o.argument(2) instanceof List<?> dims ? dims.size() : 1;
        long rolled = dimensions > 1 ? s.take(o.form(0).bytes()) : 0;
        for (int i = 2; i < dimensions; i++) {
            long next = s.take(o.form(0).bytes());
            s.give(rolled);
            rolled = next;
        }
        s.results();
        if (rolled != 0) {
            s.give(rolled);
        }
    }

    private static void convolution(Operation o, Steps s) {
        boolean last = isLast(o.form(0), o.form(1));
        List<Long> copies = copies(s, last, o.form(0), o.form(1));
        s.results();
        s.estimated();
        workspaceOf(o, s);
        s.give(copies);
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

    private static boolean isLast(Form in, Form weight) {
        return in.isChannelsLast() || weight.isChannelsLast();
    }

    private static void workspaceOf(Operation o, Steps s) {
        Form out = Operation.forms(o.result()).getFirst();
        long all = workspace(o.form(0), o.form(1), out, o.number(8, "groups", 1));
        boolean direct = all != 0 && out.element() == Float.BYTES && !sameSize(o.form(0), out)
                && out.count() / out.shape()[1] > FEW_POSITIONS;
        s.passing(direct ? all - turned(out, 1) : all);
    }

    /** The input's gradient, the weight's, then the bias's, a sum over all dimensions but the channels. */
    private static void convolutionBackward(Operation o, Steps s) {
        s.estimated();
        Form gradient = o.form(0);
        List<Long> copies = copies(s, isLast(o.form(1), o.form(2)), gradient, o.form(1), o.form(2));
        long workspace = workspace(o.form(1), o.form(2), gradient, o.number(9, "groups", 1));
        List<?> mask = o.argument(10) instanceof List<?> list ? list : List.of(true, true, true);
        if (Boolean.TRUE.equals(mask.get(0))) {
            s.result();
            s.passing(workspace);
        }
        if (Boolean.TRUE.equals(mask.get(1))) {
            s.result();
            s.passing(workspace == 0 ? 0 : workspace + pieces(o.form(2).count() * Float.BYTES));
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

    /** cuDNN's fast kernels want channels side by side: input, weight and output are turned in the workspace. */
    private static long workspace(Form in, Form weight, Form out, long groups) {
        boolean few = in.shape()[1] < FEW_CHANNELS || groups > 1;
        boolean pointwise = true;
        for (int d = 2; d < weight.rank(); d++) {
            pointwise &= weight.shape()[d] == 1;
        }
        if (few || pointwise || in.isChannelsLast()) {
            return 0;
        }
        return turned(in, 1) + turned(weight, 1) + turned(out, 1) + FLAGS;
    }

    private static boolean sameSize(Form in, Form out) {
        for (int d = 2; d < in.rank(); d++) {
            if (in.shape()[d] != out.shape()[d]) {
                return false;
            }
        }
        return true;
    }

    /** A weight's gradient is summed in pieces, of which several are kept at once. */
    private static long pieces(long weight) {
        return weight > PIECES ? 0 : Math.max(2 * weight, PIECES);
    }

    private static long turned(Form form, int channels) {
        long vector = VECTOR / form.element();
        long padded = (form.shape()[channels] + vector - 1) / vector * vector;
        return form.bytes() / Math.max(1, form.shape()[channels]) * padded;
    }

    /** The reserve keeps every gate and cell; the workspace is several times the output. */
    private static void recurrent(Operation o, Steps s) {
        s.estimated();
        Recurrence r = Recurrence.of(o, 6, 7, 9, 11, 13);
        long copied = inTurn(o.form(0), o.flag(FIRST, "batch_first", false)) ? 0 : s.take(o.form(0).bytes());
        s.resultAt(0);
        s.resultAt(1);
        if (r.cells()) {
            s.resultAt(2);
        }
        long workspace = s.take(r.workspace());
        s.result(s.made() > 0 ? r.reserve() : 0);
        s.results();
        s.give(workspace);
        if (copied != 0) {
            s.give(copied);
        }
    }

    private static void recurrentBackward(Operation o, Steps s) {
        s.estimated();
        Recurrence r = Recurrence.of(o, 10, 11, 13, 15, 17);
        boolean first = o.flag(FIRST_BACKWARD, "batch_first", false);
        List<Long> absent = new ArrayList<>();
        for (int[] pair : GRADIENTS) { // gradients that nobody gave are zeros
            if (o.form(pair[1]) == null && o.form(pair[0]) != null) {
                absent.add(s.take(o.form(pair[0]).bytes()));
            }
        }
        List<Long> turned = new ArrayList<>();
        for (Form form : new Form[]{o.form(0), o.form(OUTPUT_GRADIENT)}) {
            if (form != null && !inTurn(form, first)) {
                turned.add(s.take(form.bytes()));
            }
        }
        s.resultAt(0);
        s.resultAt(1);
        if (r.cells()) {
            s.resultAt(2);
        }
        s.passing(r.workspace());
        s.give(turned);
        long input = inTurn(o.form(0), first) ? 0 : s.take(o.form(0).bytes());
        long weights = 0;
        for (Form weight : Operation.forms(o.argument(1))) {
            weights += weight.bytes();
        }
        s.result(weights);
        for (int i = 0; i < s.made(); i++) {
            s.without(i);
        }
        s.passing(r.workspace());
        if (input != 0) {
            s.give(input);
        }
        s.give(absent);
    }

    /** Whether times follow each other in memory, as cuDNN reads them. */
    private static boolean inTurn(Form form, boolean batchFirst) {
        return (batchFirst ? form.turned(0, 1) : form).isContiguous();
    }
}
