package io.vramlab.conformance.models;

import io.vramlab.conformance.models.ModuleTable.Arguments;
import io.vramlab.conformance.models.ModuleTable.Made;
import io.vramlab.nn.*;
import io.vramlab.tensor.Tensor;

/** Recurrent networks and cells of {@link ModuleTable}. */
final class RecurrentTable {

    private static final String[] NAMES = {"num_layers", "bias", "batch_first", "dropout", "bidirectional",
            "proj_size", "nonlinearity"};

    private RecurrentTable() {
    }

    private static RecurrentOptions options(Arguments a) {
        RecurrentOptions o = new RecurrentOptions().numLayers((int) a.l(2, "num_layers", 1)).bias(a.b("bias", true))
                .batchFirst(a.b("batch_first", false)).dropout(a.d(9, "dropout", 0))
                .bidirectional(a.b("bidirectional", false)).projSize(a.l(9, "proj_size", 0));
        return a.named().has("nonlinearity") ? o.nonlinearity(a.named().get("nonlinearity").getAsString()) : o;
    }

    /** The first of several results; the others stay until the row has been compared. */
    static Tensor first(Tensor[] all) {
        Tensor[] others = java.util.Arrays.copyOfRange(all, 1, all.length);
        WindowTable.KEPT.set(others);
        return all[0];
    }

    static void addTo(ModuleTable t) {
        t.calls("LSTM", 3, a -> {
            LSTM m = new LSTM(a.l(0, "", 1), a.l(1, "", 1), options(a));
            return new Made(m, in -> first(m.callWithState(in[0])));
        }, NAMES);
        t.calls("GRU", 3, a -> {
            GRU m = new GRU(a.l(0, "", 1), a.l(1, "", 1), options(a));
            return new Made(m, in -> first(in.length > 1 ? m.call(in[0], in[1]) : m.callWithState(in[0])));
        }, NAMES);
        t.calls("RNN", 3, a -> {
            RNN m = new RNN(a.l(0, "", 1), a.l(1, "", 1), options(a));
            return new Made(m, in -> first(in.length > 1 ? m.call(in[0], in[1]) : m.callWithState(in[0])));
        }, NAMES);
        t.calls("LSTMCell", 2, a -> {
            LSTMCell m = new LSTMCell(a.l(0, "", 1), a.l(1, "", 1), a.b("bias", true));
            return new Made(m, in -> first(m.callWithState(in[0])));
        }, "bias");
        t.calls("GRUCell", 2, a -> {
            GRUCell m = new GRUCell(a.l(0, "", 1), a.l(1, "", 1), a.b("bias", true));
            return new Made(m, in -> in.length > 1 ? m.call(in[0], in[1]) : m.call(in[0]));
        }, "bias");
        t.calls("RNNCell", 2, a -> {
            RNNCell m = new RNNCell(a.l(0, "", 1), a.l(1, "", 1), a.b("bias", true),
                    a.named().has("nonlinearity") ? a.named().get("nonlinearity").getAsString() : "tanh");
            return new Made(m, in -> in.length > 1 ? m.call(in[0], in[1]) : m.call(in[0]));
        }, "bias", "nonlinearity");
    }
}
