package io.vramlab.plan;

import io.vramlab.device.DType;
import io.vramlab.footprint.RecurrentMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Recurrent layers at cuDNN, by the runtime's rule of its reserve and workspaces ({@link RecurrentMemory}).
 */
final class RecurrentRules {

    private static final int FIRST = 10;
    private static final int FIRST_BACKWARD = 14;
    /** Which of the results keeps what backward needs. */
    private static final int RESERVE = 3;
    private static final int WEIGHTS = 4;
    private static final int OUTPUT_GRADIENT = 7;
    /** Output, hidden state and cells among the arguments of backward, each with its gradient. */
    private static final int[][] GRADIENTS = {{6, OUTPUT_GRADIENT}, {4, 8}, {5, 9}};

    private RecurrentRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("aten._cudnn_rnn", RecurrentRules::recurrent);
        rules.put("aten._cudnn_rnn_backward", RecurrentRules::recurrentBackward);
        rules.put("aten._thnn_fused_gru_cell_backward", (o, s) -> cellBackward(o, s, new int[][]{{3, 0}, {4, 1}}));
        rules.put("aten._thnn_fused_lstm_cell_backward_impl", (o, s) -> cellBackward(o, s, new int[][]{{2, 0}}));
        for (String cell : List.of("lstm", "gru")) { // what backward needs is made first (RNN.cu)
            rules.put("aten._thnn_fused_" + cell + "_cell", (o, s) -> {
                s.resultAt(s.made() - 1);
                s.results();
            });
        }
    }

    /**
     * Gradients of gates and states, then those of biases, each a sum over the rows of a gradient of gates (RNN.cu).
     *
     * @param biases
     *            for each bias its place among the results, and that of the gradient that is summed
     */
    private static void cellBackward(Operation o, RuleSteps s, int[][] biases) {
        for (int i = 0; i < biases[0][0]; i++) {
            s.resultAt(i);
        }
        for (int[] bias : biases) {
            if (o.result() instanceof List<?> results && results.get(bias[0]) instanceof TensorRef) {
                s.resultAt(bias[0]);
                TensorForm gates = ((TensorRef) results.get(bias[1])).form();
                s.reduction(gates, new boolean[]{true, false}, Math.max(Float.BYTES, gates.element()));
            }
        }
    }

    private static final List<String> MODES = List.of("RNN", "RNN", "LSTM", "GRU");
    /** Where mode, hidden_size, proj_size, num_layers, batch_first, dropout, train, bidirectional, batch_sizes begin. */
    private static final int FORWARD = 6;
    private static final int BACKWARD = 10;

    private static RecurrentMemory memory(Operation o, int at) {
        TensorForm in = o.form(0);
        long layers = o.number(at + 3, "num_layers", 1);
        long directions = o.flag(at + 7, "bidirectional", false) ? 2 : 1;
        int batchAt = o.flag(at + 4, "batch_first", false) ? 0 : 1;
        boolean packed = o.argument(at + 8) instanceof List<?> sizes && !sizes.isEmpty();
        List<?> sizes = packed ? (List<?>) o.argument(at + 8) : List.of(in.shape()[batchAt]);
        long times = packed ? sizes.size() : in.shape()[1 - batchAt];
        long batch = ((Number) sizes.getFirst()).longValue();
        long projection = o.number(at + 2, "proj_size", 0);
        long weights = Operation.forms(o.argument(1)).size() / (layers * directions) - (projection > 0 ? 1 : 0);
        return new RecurrentMemory(MODES.get((int) o.number(at, "mode", 0)),
                DType.valueOf(in.dtype().toUpperCase(Locale.ROOT)), o.flag(at + 6, "train", true), packed, times, batch,
                packed ? in.shape()[0] : times * batch,
                in.shape()[in.rank() - 1], o.number(at + 1, "hidden_size", 1), layers, directions, weights > 2,
                projection, o.argument(at + 5) instanceof Number p && p.doubleValue() > 0);
    }

    private static boolean cells(Operation o, int at) {
        return o.number(at, "mode", 0) == MODES.indexOf("LSTM");
    }

    private static void recurrent(Operation o, RuleSteps s) {
        s.estimated();
        RecurrentMemory r = memory(o, FORWARD);
        long copied = inTurn(o.form(0), o.flag(FIRST, "batch_first", false)) ? 0 : s.take(o.form(0).bytes());
        s.resultAt(0);
        s.resultAt(1);
        if (cells(o, FORWARD)) {
            s.resultAt(2);
        }
        if (o.result() instanceof List<?> results && results.size() > WEIGHTS
                && results.get(WEIGHTS) instanceof TensorRef all) { // a buffer of all weights, where they lie in none
            s.resultOf(all.storage(), all.form().bytes());
        }
        long bytes = r.workspace();
        long workspace = s.take(bytes);
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

    private static long weights(Operation o) {
        return Operation.forms(o.argument(1)).stream().mapToLong(TensorForm::bytes).sum();
    }

    private static void recurrentBackward(Operation o, RuleSteps s) {
        s.estimated();
        RecurrentMemory r = memory(o, BACKWARD);
        long bytes = r.backwardWorkspace();
        boolean first = o.flag(FIRST_BACKWARD, "batch_first", false);
        List<Long> absent = new ArrayList<>();
        for (int[] pair : GRADIENTS) { // gradients that nobody gave are zeros
            if (o.form(pair[1]) == null && o.form(pair[0]) != null) {
                absent.add(s.take(o.form(pair[0]).bytes()));
            }
        }
        List<Long> turned = new ArrayList<>();
        for (TensorForm form : new TensorForm[]{o.form(0), outputGradient(o)}) {
            if (form != null && !inTurn(form, first)) {
                turned.add(s.take(form.bytes()));
            }
        }
        s.resultAt(0);
        s.resultAt(1);
        if (cells(o, BACKWARD)) {
            s.resultAt(2);
        }
        s.passing(bytes);
        s.give(turned);
        long input = inTurn(o.form(0), first) ? 0 : s.take(o.form(0).bytes());
        if (r.bias()) {
            s.result(weights(o));
            for (int i = 0; i < s.made(); i++) {
                s.without(i);
            }
            s.passing(bytes);
        } else { // cuDNN's block has room for biases all the same, and gradients are copied out of it
            long gates = Operation.forms(o.argument(1)).getFirst().shape()[0];
            long block = s.take(weights(o) + 2 * gates * o.form(0).element() * r.layers() * r.directions());
            long workspace = s.take(bytes);
            s.results();
            s.give(workspace);
            s.give(block);
        }
        if (input != 0) {
            s.give(input);
        }
        s.give(absent);
    }

    /** Zeros for the gradient of an output that nobody used lie as its shape reads, batches first if they are (RNN.cpp, _cudnn_rnn_backward). */
    private static TensorForm outputGradient(Operation o) {
        TensorForm given = o.form(OUTPUT_GRADIENT);
        TensorForm output = o.form(GRADIENTS[0][0]);
        return given != null || output == null ? given : output.rowByRow();
    }

    /** Whether times follow each other in memory, as cuDNN reads them. */
    private static boolean inTurn(TensorForm form, boolean batchFirst) {
        return (batchFirst ? form.turned(0, 1) : form).isContiguous();
    }
}
