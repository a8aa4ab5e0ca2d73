package io.vramlab.nn;

import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;

/** The channels of [n, c, …] dealt out to groups (Zhang et al., 2017). The shape stays; backward holds nothing. */
public class ChannelShuffle extends Module {

    private final long factor;

    /**
     * With that setting.
     *
     * @param factor
     *            PyTorch's groups
     */
    public ChannelShuffle(long factor) {
        this.factor = factor;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Functional.channelShuffle(input, factor);
    }

    @Override
    protected String extraRepr() {
        return "groups=" + factor;
    }
}
