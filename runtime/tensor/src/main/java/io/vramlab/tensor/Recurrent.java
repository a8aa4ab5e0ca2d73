package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.RandomOp;
import io.vramlab.footprint.RecurrentMemory;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.internal.core.GradMode;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.Kind;
import java.util.Arrays;

/**
 * LSTM, GRU and plain recurrent networks, as PyTorch gives them to cuDNN: one call for all times and layers, with a reserve
 * for backward and a workspace ({@link RecurrentMemory}), and one block for the gradients of all weights. The numbers are
 * those of {@link RecurrentFormulas}, computed on the host.
 */
public final class Recurrent {

    /** What a step computes. */
    public enum Kind {
        /** Hochreiter and Schmidhuber, 1997. */
        LSTM,
        /** Cho et al., 2014. */
        GRU,
        /** tanh of the sum of what input and state give. */
        RNN_TANH,
        /** The positive part of the sum. */
        RNN_RELU
    }

    /**
     * How a network is built.
     *
     * @param kind
     *            of its steps
     * @param layers
     *            one above another
     * @param bidirectional
     *            whether a second one reads backwards
     * @param bias
     *            whether there are two biases besides the two weights of each layer and direction
     * @param batchFirst
     *            whether inputs are [batch, times, …] instead of [times, batch, …]
     * @param dropout
     *            of the outputs between layers, when training
     * @param training
     *            whether it trains
     * @param hidden
     *            width of the states
     * @param projection
     *            width that an LSTM's outputs are projected to; 0 for none
     */
    public record Settings(Kind kind, int layers, boolean bidirectional, boolean bias, boolean batchFirst,
            double dropout, boolean training, long hidden, long projection) {

        int directions() {
            return bidirectional ? 2 : 1;
        }

        long output() {
            return projection > 0 ? projection : hidden;
        }

        boolean drops() {
            return training && dropout > 0;
        }

        String family() {
            return kind == Kind.LSTM ? "LSTM" : kind == Kind.GRU ? "GRU" : "RNN";
        }
    }

    private Recurrent() {
    }

    /**
     * Runs a network over a batch.
     *
     * @param s
     *            how the network is built
     * @param x
     *            [times, batch, input], or [batch, times, input] if the batch comes first
     * @param hidden
     *            [layers x directions, batch, output]
     * @param cells
     *            of an LSTM [layers x directions, batch, hidden], else null
     * @param weights
     *            for each layer and direction w_ih, w_hh, and with biases b_ih, b_hh, and w_hr where outputs are
     *            projected
     * @return outputs, last states, and of an LSTM last cells: new tensors; on a GPU backward keeps the weights,
     *         inputs, results and cuDNN's reserve (docs/footprint.md, "Recurrent layers")
     */
    public static Tensor[] run(Settings s, Tensor x, Tensor hidden, Tensor cells, Tensor[] weights) {
        return call(s, null, x, hidden, cells, weights);
    }

    /**
     * Runs a network over packed sequences.
     *
     * @param s
     *            how the network is built
     * @param x
     *            [rows, input], packed
     * @param sizes
     *            how many rows there are at each time, falling
     * @param hidden
     *            [layers x directions, batch, output]
     * @param cells
     *            of an LSTM [layers x directions, batch, hidden], else null
     * @param weights
     *            for each layer and direction w_ih, w_hh, and with biases b_ih, b_hh, and w_hr where outputs are
     *            projected
     * @return packed outputs [rows, output x directions], last states, and of an LSTM last cells: new tensors
     */
    public static Tensor[] run(Settings s, Tensor x, long[] sizes, Tensor hidden, Tensor cells, Tensor[] weights) {
        return call(s, sizes, x, hidden, cells, weights);
    }

    private static Tensor[] call(Settings s, long[] sizes, Tensor x, Tensor hidden, Tensor cells, Tensor[] weights) {
        Tensor[] all = new Tensor[weights.length + 3];
        all[0] = x;
        all[1] = hidden;
        all[2] = cells;
        System.arraycopy(weights, 0, all, 3, weights.length);
        return Calls.several(a -> {
            TensorImpl[] w = Arrays.copyOfRange(a, 3, a.length);
            return a[0].device().isCuda()
                    ? RecurrentCall.of(s, sizes, a[0], a[1], a[2], w)
                    : onHost(s, sizes, x, hidden, cells, weights);
        }, all);
    }

    /** On the CPU the formula is the graph. */
    private static TensorImpl[] onHost(Settings s, long[] sizes, Tensor x, Tensor hidden, Tensor cells,
            Tensor[] weights) {
        try (Scope scope = Scope.inner()) {
            boolean packed = sizes != null;
            Tensor ordered = packed || !s.batchFirst() ? x : x.transpose(0, 1);
            long[] all = packed ? sizes : uniform(ordered.size(0), ordered.size(1));
            Tensor rows = packed ? x : ordered.reshape(-1, x.size(2));
            Tensor[] made = new RecurrentFormulas(s, all, masks(s, rows.size(0), rows.dtype())).of(rows, hidden, cells,
                    weights);
            if (!packed) {
                Tensor out = made[0].view(ordered.size(0), ordered.size(1), s.output() * s.directions());
                made[0] = s.batchFirst() ? out.transpose(0, 1) : out;
            }
            return Arrays.stream(made).map(t -> t.impl().retain()).toArray(TensorImpl[]::new);
        }
    }

    static long[] uniform(long times, long batch) {
        long[] sizes = new long[Math.toIntExact(times)];
        Arrays.fill(sizes, batch);
        return sizes;
    }

    /** What is dropped between layers, drawn on the host; null where nothing is. */
    static Tensor[] masks(Settings s, long rows, DType dtype) {
        if (!s.drops() || s.layers() == 1) {
            return null;
        }
        Tensor[] masks = new Tensor[s.layers() - 1];
        for (int i = 0; i < masks.length; i++) {
            TensorImpl drawn = Factories.random(RandomOp.UNIFORM, io.vramlab.device.Device.cpu(),
                    dtype == DType.FLOAT64 ? DType.FLOAT64 : DType.FLOAT32, 0, 1, rows,
                    s.output() * s.directions());
            try (Tensor uniform = Tensor.wrap(drawn);
                    GradMode.State off = GradMode.enter(false);
                    Tensor kept = uniform.ge(s.dropout())) {
                try (Tensor ones = kept.to(drawn.dtype())) {
                    masks[i] = ones.div(1 - s.dropout());
                }
            }
        }
        return masks;
    }

    /**
     * Lays the weights of a network one after another into one block, as cuDNN wants them; they stay the same tensors.
     * Does nothing on the CPU.
     *
     * @param weights
     *            of one dtype and device, else nothing happens
     * @param s
     *            how the network is built
     * @param input
     *            width of the network's input
     */
    public static void flatten(Tensor[] weights, Settings s, long input) {
        if (weights.length == 0 || !weights[0].device().isCuda()) {
            return;
        }
        for (Tensor w : weights) {
            if (w.dtype() != weights[0].dtype() || w.device() != weights[0].device()) {
                return;
            }
        }
        try (GradMode.State off = GradMode.enter(false); Temps t = new Temps()) {
            TensorImpl[] all = Arrays.stream(weights).map(Tensor::impl).toArray(TensorImpl[]::new);
            RecurrentWeights places = RecurrentWeights.of(s, input, all, all[0].dtype());
            TensorImpl[] parts = places.parts(t.own(places.block(all[0], all[0].dtype())), all);
            for (int i = 0; i < weights.length; i++) {
                Copies.fill(t.own(parts[i]), weights[i].impl());
                weights[i].impl().setData(parts[i]);
            }
        }
    }

    /** Elements of all weights; cuDNN has room for biases that there are not. */
    static long elements(Settings s, long input) {
        long gates = s.kind() == Kind.LSTM ? 4 : s.kind() == Kind.GRU ? 3 : 1;
        long all = 0;
        for (int layer = 0; layer < s.layers(); layer++) {
            long width = layer == 0 ? input : s.output() * s.directions();
            all += s.directions()
                    * (gates * s.hidden() * (width + s.output() + 2) + s.projection() * s.hidden());
        }
        return all;
    }
}
