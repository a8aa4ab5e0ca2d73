package io.vramlab.tensor.internal.ops.view;

import io.vramlab.device.DType;
import io.vramlab.device.Operand;
import io.vramlab.tensor.internal.core.Copies;
import io.vramlab.tensor.internal.core.Graph;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.type.MemoryFormat;
import io.vramlab.tensor.type.TensorException;

/** PyTorch's memory formats: row-major, or channels last, where the channels of [n, channels, …] lie side by side. */
public final class MemoryOrder {

    private MemoryOrder() {
    }

    /** Whether a convolution runs with channels last: input or weight lie so, and the dtype is no float64. */
    public static boolean isChannelsLast(TensorImpl a, TensorImpl weight) {
        return a.dtype() != DType.FLOAT64 && (suggestsChannelsLast(a) || suggestsChannelsLast(weight));
    }

    /** PyTorch's is_channels_last_strides: what it takes for channels last, also where sizes of 1 leave it open. */
    public static boolean suggestsChannelsLast(TensorImpl a) {
        return suggestsChannelsLast(a.operand());
    }

    /** As above, of what lies so. */
    public static boolean suggestsChannelsLast(Operand a) {
        int rank = a.shape().length;
        if (rank != 4 && rank != 5 || a.strides()[1] == 0) {
            return false;
        }
        long min = 0;
        for (int i = 0; i < rank; i++) {
            // channels, then the spatial dimensions from the last on, then the batch
            int d = i == 0 ? 1 : i == rank - 1 ? 0 : rank - i;
            long size = a.shape()[d];
            long stride = a.strides()[d];
            if (size == 0 || stride < min || d == 0 && min == a.strides()[1]) {
                return false;
            }
            min = size > 1 ? stride * size : stride;
        }
        return true;
    }

    /** Strides of that shape with channels last. */
    public static long[] channelsLast(long[] shape) {
        long[] strides = new long[shape.length];
        strides[1] = 1;
        long step = Math.max(1, shape[1]);
        for (int d = shape.length - 1; d > 1; d--) {
            strides[d] = step;
            step *= Math.max(1, shape[d]);
        }
        strides[0] = step;
        return strides;
    }

    /** A new tensor like {@code like} in that order. */
    public static TensorImpl empty(TensorImpl like, long[] shape, boolean channelsLast) {
        return empty(like, like.dtype(), shape, channelsLast);
    }

    /** As above, of another dtype. */
    public static TensorImpl empty(TensorImpl like, DType dtype, long[] shape, boolean channelsLast) {
        return channelsLast
                ? TensorImpl.emptyStrided(like.device(), dtype, shape, channelsLast(shape))
                : TensorImpl.empty(like.device(), dtype, shape);
    }

    /** The tensor itself, held once more, or a copy in that order; outside the graph. */
    public static TensorImpl laid(TensorImpl a, boolean channelsLast) {
        return channelsLast
                ? isLaidLast(a) ? a.retain() : Copies.fill(empty(a, a.shape(), true), a)
                : a.isContiguous() ? a.retain() : Copies.fill(empty(a, a.shape(), false), a);
    }

    /** Whether every element is where channels last has it. */
    public static boolean isLaidLast(TensorImpl a) {
        long[] strides = channelsLast(a.shape());
        for (int d = 0; d < a.rank(); d++) {
            if (a.shape()[d] != 1 && a.strides()[d] != strides[d]) {
                return false;
            }
        }
        return true;
    }

    /** As {@link #as}, but what sizes of 1 leave open is copied, too, unless its strides tell that order: PyTorch's {@code to}. */
    public static TensorImpl to(TensorImpl a, MemoryFormat format) {
        if (format == MemoryFormat.CONTIGUOUS) {
            return as(a, format);
        }
        requireRank(a, format);
        if (suggestsChannelsLast(a)) {
            return a.retain();
        }
        TensorImpl out = Copies.fill(empty(a, a.shape(), true), a);
        if (Graph.wanted(a)) {
            Graph.recordUnary("ToCopyBackward0", out, a, (n, g) -> g.retain());
        }
        return out;
    }

    private static void requireRank(TensorImpl a, MemoryFormat format) {
        int wanted = format == MemoryFormat.CHANNELS_LAST ? 4 : format == MemoryFormat.CHANNELS_LAST_3D ? 5 : a.rank();
        if (a.rank() != wanted) {
            throw new TensorException("required rank " + wanted + " tensor to use " + format.name().toLowerCase()
                    + " format, but this is " + a.describe() + ".");
        }
    }

    /** The tensor itself, held once more, or a copy in that order, within the graph. */
    public static TensorImpl as(TensorImpl a, MemoryFormat format) {
        requireRank(a, format);
        boolean last = format != MemoryFormat.CONTIGUOUS;
        TensorImpl out = laid(a, last);
        if (out != a && Graph.wanted(a)) {
            Graph.recordUnary("CloneBackward0", out, a, (n, g) -> g.retain());
        }
        return out;
    }
}
