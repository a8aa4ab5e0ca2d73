package io.vramlab.nn;

import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.util.Arrays;

/** What {@link LSTMCell}, {@link GRUCell} and {@link RNNCell} share: weights, drawn as {@link RNNBase}'s. */
public abstract class RNNCellBase extends Module {

    /** [gates hidden, input]. */
    public final Parameter weightIh;
    /** [gates hidden, hidden]. */
    public final Parameter weightHh;
    /** [gates hidden], or null. */
    public final Parameter biasIh;
    /** [gates hidden], or null. */
    public final Parameter biasHh;
    private final long input;
    private final long hidden;

    RNNCellBase(int gates, long input, long hidden, boolean bias) {
        this.input = input;
        this.hidden = hidden;
        double bound = hidden > 0 ? 1 / Math.sqrt(hidden) : 0;
        weightIh = FirstValues.uniform(bound, gates * hidden, input);
        weightHh = FirstValues.uniform(bound, gates * hidden, hidden);
        biasIh = bias ? FirstValues.uniform(bound, gates * hidden) : null;
        biasHh = bias ? FirstValues.uniform(bound, gates * hidden) : null;
    }

    /** Zeros [batch, hidden]. */
    final Tensor zeros(Tensor x) {
        if (x.dim() != 2 || x.size(1) != input) {
            throw new IllegalArgumentException(getClass().getSimpleName() + ": Expected input to be [batch, " + input
                    + "], got " + Arrays.toString(x.shape()) + ": unsqueeze(0) makes a batch of one.");
        }
        return Tensor.zeros(TensorOptions.on(x.device()).dtype(x.dtype()), x.size(0), hidden);
    }

    @Override
    protected String extraRepr() {
        return input + ", " + hidden + (biasIh == null ? ", bias=False" : "");
    }
}
