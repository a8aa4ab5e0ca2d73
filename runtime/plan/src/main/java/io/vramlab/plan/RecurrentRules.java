package io.vramlab.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Recurrent layers at cuDNN. Its workspaces are the choice of its heuristics; the rules here are estimates read off an H200's
 * runs, and told as such: docs/plan.md, "What is exact, and what is not".
 */
final class RecurrentRules {

    private static final int FIRST = 10;
    private static final int FIRST_BACKWARD = 14;
    /** Which of the results keeps what backward needs. */
    private static final int RESERVE = 3;
    private static final int OUTPUT_GRADIENT = 7;
    /** Output, hidden state and cells among the arguments of backward, each with its gradient. */
    private static final int[][] GRADIENTS = {{6, OUTPUT_GRADIENT}, {4, 8}, {5, 9}};

    private RecurrentRules() {
    }

    static void add(Map<String, Rule> rules) {
        rules.put("aten._cudnn_rnn", RecurrentRules::recurrent);
        rules.put("aten._cudnn_rnn_backward", RecurrentRules::recurrentBackward);
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
        if (o.result() instanceof List<?> results && results.size() > RESERVE
                && results.get(RESERVE) instanceof TensorRef reserve) {
            s.resultOf(reserve.storage(), r.reserve());
        }
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
