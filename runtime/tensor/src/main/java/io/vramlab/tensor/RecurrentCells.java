package io.vramlab.tensor;

import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.Node;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.matrix.MatrixOps;
import io.vramlab.tensor.internal.ops.pointwise.InPlace;
import io.vramlab.tensor.internal.ops.reduce.Reductions;

/**
 * One step of a recurrent network, as torch.nn's cells take it: two products, then for LSTM and GRU a kernel of PyTorch's
 * own that keeps what backward needs ({@code _thnn_fused_lstm_cell}, {@code _thnn_fused_gru_cell}).
 */
final class RecurrentCells {

    private static final int LSTM_GATES = 4;
    private static final int GRU_KEPT = 5;

    private RecurrentCells() {
    }

    /** Of input [batch, input], state [batch, hidden], w_ih, w_hh, b_ih, b_hh, biases null where there are none. */
    static TensorImpl simple(Recurrent.Kind kind, TensorImpl[] a) {
        try (Temps t = new Temps()) {
            TensorImpl gates = t.own(MatrixOps.linear(a[1], a[3], a[5]));
            TensorImpl fromInput = t.own(MatrixOps.linear(a[0], a[2], a[4]));
            InPlace.add(gates, fromInput, 1);
            try (Tensor sum = Tensor.wrap(gates.retain());
                    Tensor out = kind == Recurrent.Kind.RNN_TANH ? sum.tanh() : sum.relu()) {
                return out.impl().retain();
            }
        }
    }

    /** As {@link #simple}, of a GRU. */
    static TensorImpl gru(TensorImpl[] a) {
        return fused(Recurrent.Kind.GRU, new TensorImpl[]{a[0], a[1], null, a[2], a[3], a[4], a[5]})[0];
    }

    /** As {@link #simple}, with cells [batch, hidden] after the state: the next state and cells. */
    static TensorImpl[] lstm(TensorImpl[] a) {
        return fused(Recurrent.Kind.LSTM, a);
    }

    private static TensorImpl[] fused(Recurrent.Kind kind, TensorImpl[] a) {
        TensorImpl h = a[1];
        TensorImpl c = a[2];
        if (!h.device().isCuda()) {
            return onHost(kind, a);
        }
        long[] shape = h.shape();
        boolean lstm = kind == Recurrent.Kind.LSTM;
        try (Temps t = new Temps()) {
            TensorImpl gates = t.own(MatrixOps.linear(a[0], a[3], null));
            TensorImpl inner = t.own(MatrixOps.linear(h, a[4], null));
            TensorImpl workspace = t.own(TensorImpl.empty(h.device(), h.dtype(), shape[0],
                    (lstm ? LSTM_GATES : GRU_KEPT) * shape[1]));
            TensorImpl next = t.own(TensorImpl.empty(h.device(), h.dtype(), shape));
            TensorImpl nextCells = lstm ? t.own(TensorImpl.empty(h.device(), h.dtype(), shape)) : null;
            TensorImpl[] results = lstm ? new TensorImpl[]{next, nextCells} : new TensorImpl[]{next};
            TensorImpl[] inputs = {gates, inner, lstm ? c : h, a[5], a[6]};
            HostFunction.Formula formula = x -> formula(kind, x);
            HostFunction.forward(inputs, results, formula);
            if (Graph.wanted(inputs)) {
                Node node = Graph.recordSeveral(lstm ? "ThnnFusedLstmCellBackward0" : "ThnnFusedGruCellBackward0",
                        results, (n, g) -> backward(n, g, lstm, formula), inputs);
                // in the order in which PyTorch lets go: by the names of its arguments
                node.save(lstm ? Graph.input(node, c) : null, Graph.inputIf(a[6] != null, node, a[6]),
                        Graph.input(node, inner), Graph.inputIf(a[5] != null, node, a[5]), Graph.input(node, gates),
                        Graph.input(node, workspace),
                        lstm ? Graph.result(node, nextCells) : Graph.input(node, h));
            }
            return t.give(results);
        }
    }

    private static TensorImpl[] onHost(Recurrent.Kind kind, TensorImpl[] a) {
        try (Scope scope = Scope.inner()) {
            Tensor[] x = new Tensor[a.length];
            for (int i = 0; i < x.length; i++) {
                x[i] = a[i] == null ? null : Tensor.wrap(a[i].retain());
            }
            Tensor[] made = RecurrentFormulas.cell(kind, Functional.linear(x[0], x[3], x[5]),
                    Functional.linear(x[1], x[4], x[6]), x[1], x[2]);
            return made[1] == null
                    ? new TensorImpl[]{made[0].impl().retain()}
                    : new TensorImpl[]{made[0].impl().retain(), made[1].impl().retain()};
        }
    }

    private static Tensor[] formula(Recurrent.Kind kind, Tensor[] x) {
        Tensor gates = x[3] == null ? x[0] : x[0].add(x[3]);
        Tensor inner = x[4] == null ? x[1] : x[1].add(x[4]);
        return RecurrentFormulas.cell(kind, gates, inner, x[2], x[2]);
    }

    private static TensorImpl like(TensorImpl a) {
        return TensorImpl.empty(a.device(), a.dtype(), a.shape());
    }

    private static TensorImpl[] backward(Node n, TensorImpl[] grads, boolean lstm, HostFunction.Formula formula) {
        TensorImpl[] inputs = {n.saved(4), n.saved(2), lstm ? n.saved(0) : n.saved(6), n.saved(3), n.saved(1)};
        try (Temps t = new Temps()) {
            TensorImpl[] found = new TensorImpl[inputs.length];
            TensorImpl gates = t.own(like(inputs[0]));
            TensorImpl inner = lstm ? gates : t.own(like(inputs[1]));
            TensorImpl state = t.own(like(inputs[2]));
            HostFunction.backward(inputs, lstm ? grads : new TensorImpl[]{grads[0]},
                    new TensorImpl[]{gates, lstm ? null : inner, state, null, null}, formula);
            boolean biased = inputs[3] != null;
            boolean[] rows = {true, false};
            TensorImpl first = biased && n.wants(3)
                    ? t.own(Reductions.reduce(io.vramlab.device.ReduceOp.SUM, gates, rows, false, gates.dtype()))
                    : null;
            TensorImpl second = !biased || !n.wants(4)
                    ? null
                    : lstm && first != null
                            ? first
                            : t.own(Reductions.reduce(io.vramlab.device.ReduceOp.SUM, inner, rows, false,
                                    inner.dtype()));
            found[0] = n.wants(0) ? gates.retain() : null;
            found[1] = n.wants(1) ? inner.retain() : null;
            found[2] = n.wants(2) ? state.retain() : null;
            found[3] = first == null ? null : first.retain();
            found[4] = second == null ? null : second.retain();
            return found;
        }
    }
}
