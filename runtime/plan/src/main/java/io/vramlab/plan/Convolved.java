package io.vramlab.plan;

import io.vramlab.device.DType;
import io.vramlab.footprint.Convolution;
import io.vramlab.footprint.Convolution.Pass;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A recorded convolution, as the runtime's rule of cuDNN's workspaces is asked about it
 * ({@link io.vramlab.footprint.ConvolutionWorkspace}).
 *
 * @param last
 *            whether cuDNN reads it with channels side by side
 */
record Convolved(TensorForm in, TensorForm weight, TensorForm out, boolean last, boolean transposed, long groups,
        long[] stride,
        long[] padding, long[] dilation) {

    private static final int FIRST_OF_SPACE = 2;

    /** There is one for each layer of a recording ({@link ConvolutionSizes#layer}). */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    static Convolved of(TensorForm in, TensorForm weight, TensorForm out, Object stride, Object padding,
            Object dilation,
            boolean transposed, long groups) {
        int dims = weight.rank() - FIRST_OF_SPACE;
        return new Convolved(in, weight, out, in.isChannelsLast() || weight.isChannelsLast(), transposed, groups,
                each(stride, dims), each(padding, dims), each(dilation, dims));
    }

    private static long[] each(Object value, int dims) {
        long[] each = new long[dims];
        for (int d = 0; d < dims; d++) {
            each[d] = value instanceof List<?> list
                    ? ((Number) list.get(Math.min(d, list.size() - 1))).longValue()
                    : ((Number) value).longValue();
        }
        return each;
    }

    /** PyTorch has kernels of its own for a group for each channel; they take nothing. */
    boolean isPyTorchs() {
        return groups > 1 && groups == in.shape()[1] && !transposed && !last && !isLibrarys();
    }

    /** What PyTorch measured to be faster at cuDNN (Convolution.cpp, use_cudnn_depthwise): float16 over squares. */
    private boolean isLibrarys() {
        if (!in.dtype().equals("float16") || in.rank() > 4 || in.shape()[1] < 32
                || Arrays.stream(dilation).anyMatch(d -> d != 1)) {
            return false;
        }
        if (in.rank() == 3) {
            return stride[0] == 1;
        }
        if (stride[0] != stride[1] && in.shape()[2] != 1) {
            return false;
        }
        long filter = weight.shape()[3];
        long width = in.shape()[3];
        if (in.shape()[2] == 1 && stride[1] == 1) {
            return true;
        }
        if (weight.shape()[2] != filter || filter != 1 && filter != 3 && filter != 5 || width < 7) {
            return false;
        }
        return stride[1] == 1 || stride[1] == 2 && isWorthStride(in.shape()[0], in.shape()[1], width, filter);
    }

    private static boolean isWorthStride(long batch, long channels, long width, long filter) {
        if (batch == 1) {
            return filter != 1 || width <= 28;
        }
        return filter == 1
                ? batch <= 16 && channels >= 128 && width <= 7
                : channels >= 512 || channels >= 256 && width >= 28;
    }

    /** One of its products, as the rule reads it. */
    Convolution product(Pass pass) {
        TensorForm from = transposed ? out : in;
        TensorForm to = transposed ? in : out;
        return new Convolution(told(pass), dtype(), last, from.shape()[0], from.shape()[1], to.shape()[1], groups,
                space(from), space(weight), stride, padding, dilation, space(to));
    }

    /** A transposed convolution is the gradient of one, and the other way round. */
    private Pass told(Pass pass) {
        return !transposed || pass == Pass.WEIGHT ? pass : pass == Pass.FORWARD ? Pass.INPUT : Pass.FORWARD;
    }

    private DType dtype() {
        return DType.valueOf(in.dtype().toUpperCase(Locale.ROOT));
    }

    private static long[] space(TensorForm form) {
        return Arrays.copyOfRange(form.shape(), FIRST_OF_SPACE, form.rank());
    }
}
