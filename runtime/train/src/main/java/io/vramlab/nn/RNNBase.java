package io.vramlab.nn;

import io.vramlab.tensor.CountedRecord;
import io.vramlab.tensor.Packing;
import io.vramlab.tensor.Recurrent;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@link LSTM}, {@link GRU} and {@link RNN} share: for each layer and direction the weights {@code weight_ih_l0} [gates
 * hidden, input], {@code weight_hh_l0} [gates hidden, output], {@code bias_ih_l0}, {@code bias_hh_l0} [gates hidden], and
 * with a projection {@code weight_hr_l0} [projection, hidden]; those of the second direction end in {@code _reverse}. All are
 * drawn uniformly from (-1/sqrt(hidden), 1/sqrt(hidden)), and lie in one block on a GPU.
 */
public abstract class RNNBase extends Module {

    private static final int LSTM_GATES = 4;

    private final Map<String, Parameter> weights = new LinkedHashMap<>();
    private final Recurrent.Kind kind;
    private final RecurrentOptions options;
    private final long input;
    private final long hidden;

    RNNBase(Recurrent.Kind kind, int gates, long input, long hidden, RecurrentOptions options) {
        this.kind = kind;
        this.input = input;
        this.hidden = hidden;
        this.options = options;
        if (input <= 0 || hidden <= 0 || options.numLayers <= 0) {
            throw new IllegalArgumentException("A recurrent network from " + input + " to " + hidden + " in "
                    + options.numLayers + " layers was asked for: sizes and layers must be greater than zero.");
        }
        if (options.projSize < 0 || options.projSize >= hidden || options.projSize > 0 && gates != LSTM_GATES) {
            throw new IllegalArgumentException("proj_size=" + options.projSize + " was asked for with hidden_size="
                    + hidden + ": it is an LSTM's, and has to be smaller than hidden_size.");
        }
        double bound = 1 / Math.sqrt(hidden);
        int directions = options.bidirectional ? 2 : 1;
        for (int layer = 0; layer < options.numLayers; layer++) {
            for (int d = 0; d < directions; d++) {
                long width = layer == 0 ? input : output() * directions;
                add("_l" + layer + (d == 1 ? "_reverse" : ""), gates * hidden, width, bound);
            }
        }
        flattenParameters();
    }

    private void add(String name, long rows, long width, double bound) {
        weights.put("weight_ih" + name, FirstValues.uniform(bound, rows, width));
        weights.put("weight_hh" + name, FirstValues.uniform(bound, rows, output()));
        if (options.bias) {
            weights.put("bias_ih" + name, FirstValues.uniform(bound, rows));
            weights.put("bias_hh" + name, FirstValues.uniform(bound, rows));
        }
        if (options.projSize > 0) {
            weights.put("weight_hr" + name, FirstValues.uniform(bound, options.projSize, hidden));
        }
    }

    /**
     * {@return a weight by PyTorch's name, for instance {@code weight_ih_l0}; null if there is none}
     *
     * @param name
     *            layer and direction included: {@code weight_hh_l1_reverse}
     */
    public Parameter weight(String name) {
        return weights.get(name);
    }

    /** Lays all weights into one block, as PyTorch does when they are made and whenever they move. */
    public final void flattenParameters() {
        Recurrent.flatten(all(), settings(), input);
    }

    @Override
    void converted() {
        flattenParameters();
    }

    private Tensor[] all() {
        return weights.values().toArray(Tensor[]::new);
    }

    private Recurrent.Settings settings() {
        return new Recurrent.Settings(kind, options.numLayers, options.bidirectional, options.bias, options.batchFirst,
                options.dropout, isTraining(), hidden, options.projSize);
    }

    /** The outputs of all times alone; {@link #callWithState} gives the last states too. */
    @Override
    public Tensor forward(Tensor x) {
        Tensor[] all = run(x, null, null);
        for (int i = 1; i < all.length; i++) {
            all[i].close();
        }
        return all[0];
    }

    /**
     * Outputs, last states and, of an LSTM, last cells, from states that are zero: PyTorch's {@code output, h = rnn(x)}.
     *
     * @param x
     *            [times, batch, input] or as the options say, or [times, input]
     * @return outputs, last states, and of an LSTM last cells
     * @throws IllegalArgumentException
     *             if x has other dimensions or another width
     */
    public final Tensor[] callWithState(Tensor x) {
        return run(x, null, null);
    }

    final Tensor[] run(Tensor x, Tensor h0, Tensor c0) {
        check(x);
        if (x.dim() == 2) {
            return unbatched(x, h0, c0);
        }
        long batch = x.size(options.batchFirst ? 0 : 1);
        List<Tensor> made = new ArrayList<>();
        try {
            Tensor h = h0 == null ? zeros(made, x, batch, output()) : h0;
            Tensor c = kind != Recurrent.Kind.LSTM ? null : c0 == null ? zeros(made, x, batch, hidden) : c0;
            return Recurrent.run(settings(), x, h, c, all());
        } finally {
            made.forEach(Tensor::close);
        }
    }

    private void check(Tensor x) {
        if (x.dim() != 2 && x.dim() != 3) {
            throw new IllegalArgumentException(getClass().getSimpleName() + ": Expected input to be 2D or 3D, got "
                    + x.dim() + "D tensor instead: give [times, batch, input] or [times, input].");
        }
        if (x.size(-1) != input) {
            throw new IllegalArgumentException("input.size(-1) must be equal to input_size. Expected " + input
                    + ", got " + x.size(-1) + ".");
        }
    }

    private Tensor zeros(List<Tensor> made, Tensor x, long batch, long width) {
        Tensor zeros = Tensor.zeros(TensorOptions.on(x.device()).dtype(x.dtype()),
                (long) options.numLayers * (options.bidirectional ? 2 : 1), batch, width);
        made.add(zeros);
        return zeros;
    }

    private long output() {
        return options.projSize > 0 ? options.projSize : hidden;
    }

    private Tensor[] unbatched(Tensor x, Tensor h0, Tensor c0) {
        int batch = options.batchFirst ? 0 : 1;
        try (Tensor one = x.unsqueeze(batch);
                Tensor h = h0 == null ? null : h0.unsqueeze(1);
                Tensor c = c0 == null ? null : c0.unsqueeze(1)) {
            Tensor[] all = run(one, h, c);
            for (int i = 0; i < all.length; i++) {
                try (Tensor whole = all[i]) {
                    all[i] = whole.squeeze(i == 0 ? batch : 1);
                }
            }
            return all;
        }
    }

    /**
     * What packed sequences give.
     *
     * @param output
     *            packed as the input
     * @param hn
     *            last states, in the order of the sequences
     * @param cn
     *            last cells of an LSTM, else null
     */
    public record Packed(PackedSequence output, Tensor hn, Tensor cn) implements CountedRecord, AutoCloseable {

        @Override
        public List<?> parts() {
            return cn == null ? List.of(output, hn) : List.of(output, hn, cn);
        }

        @Override
        public void close() {
            output.close();
            hn.close();
            if (cn != null) {
                cn.close();
            }
        }
    }

    /**
     * As {@link #callWithState}, of packed sequences.
     *
     * @param x
     *            borrowed, rows of width input
     * @return to be closed: outputs, last states and cells
     */
    public final Packed callPacked(PackedSequence x) {
        return callPacked(x, null, null);
    }

    /**
     * From given states, in the order of the sequences; null for zeros.
     *
     * @param x
     *            borrowed, rows of width input
     * @param h0
     *            [layers x directions, batch, hidden], or null for zeros
     * @param c0
     *            of an LSTM, shaped as h0, or null for zeros
     * @return to be closed: outputs, last states and cells
     */
    public final Packed callPacked(PackedSequence x, Tensor h0, Tensor c0) {
        long batch = x.batchSizes()[0];
        List<Tensor> made = new ArrayList<>();
        try {
            Tensor h = h0 == null ? zeros(made, x.data(), batch, output()) : sorted(made, h0, x.sortedIndices());
            Tensor c = null;
            if (kind == Recurrent.Kind.LSTM) {
                c = c0 == null ? zeros(made, x.data(), batch, hidden) : sorted(made, c0, x.sortedIndices());
            }
            Tensor[] all = Recurrent.run(settings(), x.data(), x.batchSizes(), h, c, all());
            PackedSequence output = x.like(all[0]);
            return new Packed(output, inOrder(made, all[1], x.unsortedIndices()),
                    c == null ? null : inOrder(made, all[2], x.unsortedIndices()));
        } finally {
            made.forEach(Tensor::close);
        }
    }

    private static Tensor sorted(List<Tensor> made, Tensor states, Tensor indices) {
        if (indices == null) {
            return states;
        }
        Tensor ordered = Packing.select(states, 1, indices);
        made.add(ordered);
        return ordered;
    }

    /** In the order of the sequences; what was in the other order goes. */
    private static Tensor inOrder(List<Tensor> made, Tensor states, Tensor indices) {
        if (indices == null) {
            return states;
        }
        made.add(states);
        return Packing.select(states, 1, indices);
    }

    @Override
    protected String extraRepr() {
        StringBuilder text = new StringBuilder().append(input).append(", ").append(hidden);
        if (options.projSize != 0) {
            text.append(", proj_size=").append(options.projSize);
        }
        if (options.numLayers != 1) {
            text.append(", num_layers=").append(options.numLayers);
        }
        if (!options.bias) {
            text.append(", bias=False");
        }
        if (options.batchFirst) {
            text.append(", batch_first=True");
        }
        if (options.dropout != 0) {
            text.append(", dropout=").append(Numbers.text(options.dropout));
        }
        return options.bidirectional ? text + ", bidirectional=True" : text.toString();
    }
}
