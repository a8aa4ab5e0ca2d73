package io.vramlab.tensor.internal.ops.layer;

import io.vramlab.device.DType;
import io.vramlab.device.Operand;
import io.vramlab.device.ReduceOp;
import io.vramlab.footprint.Accumulator;
import io.vramlab.footprint.BatchNormScratch;
import io.vramlab.footprint.ReductionScratch;
import io.vramlab.tensor.internal.core.Scratch;
import io.vramlab.tensor.internal.core.Strides;
import io.vramlab.tensor.internal.core.Temps;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.MemoryOrder;
import io.vramlab.tensor.type.Shape;
import java.util.Arrays;

/**
 * How the channels of [n, channels, …] lie: each of PyTorch's own batch norms reads one order, and takes scratch memory for it
 * (Normalization.cu, batch_norm_choose_impl).
 */
enum ChannelPlanes {

    /** Each channel of an image is one piece. */
    APART,
    /** The channels of a place are neighbours. */
    SIDE_BY_SIDE,
    /** Neither. */
    OTHERWISE;

    private static final int WELFORD_NUMBERS = 4;

    static ChannelPlanes of(TensorImpl a) {
        if (a.isContiguous()) {
            return a.strides()[1] == 1 ? SIDE_BY_SIDE : APART;
        }
        return a.rank() == 4 && MemoryOrder.isLaidLast(a) ? SIDE_BY_SIDE : OTHERWISE;
    }

    /** Takes what the mean and the variance of each channel take, and gives it back. */
    void passStatistics(TensorImpl x) {
        if (x.count() == 0 || this == APART) {
            return;
        }
        if (this == SIDE_BY_SIDE) {
            long channels = x.shape()[1];
            Scratch.pass(x, device -> BatchNormScratch.forward(device, x.dtype(), x.count() / channels, channels));
            return;
        }
        // the reduction of all tensors, in float32: a mean, squares and two counts each
        boolean[] reduced = new boolean[x.rank()];
        Arrays.fill(reduced, true);
        reduced[1] = false;
        try (Temps t = new Temps()) {
            if (x.dtype().bytes() < Float.BYTES) {
                t.own(TensorImpl.emptyStrided(x.device(), DType.FLOAT32, x.shape(), Strides.preserving(x)));
            }
            int numbers = WELFORD_NUMBERS * Accumulator.bytes(ReduceOp.SUM, x.dtype());
            Scratch.pass(x, device -> ReductionScratch.of(x.operand(), reduced, numbers, device).footprint());
        }
    }

    /** Takes what the two sums of each channel's gradient take, and gives it back. */
    void passSums(TensorImpl x) {
        if (x.count() > 0 && this == SIDE_BY_SIDE) {
            long channels = x.shape()[1];
            Scratch.pass(x, device -> BatchNormScratch.backward(device, x.dtype(), x.count() / channels, channels));
        }
    }

    /** As [n, channels, spatial], or null when the spatial dimensions cannot be seen as one. */
    static Operand merged(TensorImpl a) {
        long spatial = 1;
        for (int d = 2; d < a.rank(); d++) {
            spatial *= a.shape()[d];
        }
        long[] shape = {a.shape()[0], a.shape()[1], spatial};
        long[] strides = Strides.view(a.shape(), a.strides(), shape);
        return strides == null ? null : new Operand(a.operand().address(), a.dtype(), shape, strides);
    }

    /** A vector of one number for each channel, or null. */
    static Operand vector(TensorImpl a) {
        if (a == null) {
            return null;
        }
        long[] shape = {a.count()};
        return new Operand(a.operand().address(), a.dtype(), shape, Shape.contiguous(shape));
    }
}
