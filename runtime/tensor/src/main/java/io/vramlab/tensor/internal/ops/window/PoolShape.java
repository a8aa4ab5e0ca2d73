package io.vramlab.tensor.internal.ops.window;

import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.tensor.internal.ops.view.Views;
import io.vramlab.tensor.type.Shape;
import io.vramlab.tensor.type.TensorException;
import java.util.Arrays;

/**
 * The windows of a pool: one entry per dimension that is pooled.
 *
 * @param ceil
 *            whether a window may begin inside the input and end outside
 */
public record PoolShape(long[] kernel, long[] stride, long[] padding, long[] dilation, boolean ceil) {

    public static PoolShape of(Window w) {
        return new PoolShape(new long[]{w.kernelH(), w.kernelW()}, new long[]{w.strideH(), w.strideW()},
                new long[]{w.padH(), w.padW()}, new long[]{w.dilationH(), w.dilationW()}, false);
    }

    /** With one number for all dimensions, or one each; a stride that is null is the kernel. */
    public static PoolShape of(int dims, long[] kernel, long[] stride, long[] padding, long[] dilation, boolean ceil) {
        long[] size = Geometry.each(kernel, dims, "kernel size");
        return new PoolShape(size, stride == null || stride.length == 0 ? size : Geometry.each(stride, dims, "stride"),
                Geometry.each(padding, dims, "padding"), Geometry.each(dilation, dims, "dilation"), ceil);
    }

    int dims() {
        return kernel.length;
    }

    /** The same over one dimension more, before the others, in which nothing is pooled. */
    PoolShape lifted() {
        return new PoolShape(Views.insert(kernel, 0, 1), Views.insert(stride, 0, 1), Views.insert(padding, 0, 0),
                Views.insert(dilation, 0, 1), ceil);
    }

    Window window() {
        return new Window(i(kernel[0]), i(kernel[1]), i(stride[0]), i(stride[1]), i(padding[0]), i(padding[1]),
                i(dilation[0]), i(dilation[1]), 1);
    }

    private static int i(long size) {
        return Math.toIntExact(size);
    }

    private String asked(String what, long[] in) {
        return what + " with kernel " + Arrays.toString(kernel) + ", stride " + Arrays.toString(stride) + ", padding "
                + Arrays.toString(padding) + " and dilation " + Arrays.toString(dilation)
                + " was asked of a tensor of shape "
                + Shape.text(in) + ": ";
    }

    /** The result's sizes. */
    long[] output(long[] in, String what) {
        int lead = in.length - dims();
        if (lead != 1 && lead != 2) {
            throw new TensorException(asked(what, in) + "it takes [n, channels, …] or [channels, …] with " + dims()
                    + " sizes behind.");
        }
        long[] out = in.clone();
        for (int d = 0; d < dims(); d++) {
            if (kernel[d] <= 0 || stride[d] <= 0 || dilation[d] <= 0) {
                throw new TensorException(
                        asked(what, in) + "kernel, stride and dilation should be greater than zero.");
            }
            if (padding[d] < 0 || padding[d] > ((kernel[d] - 1) * dilation[d] + 1) / 2) {
                throw new TensorException(asked(what, in) + "pad should be at most half of effective kernel size. "
                        + "Pad less, or pad the input before.");
            }
            out[lead + d] = size(d, in[lead + d]);
            if (out[lead + d] <= 0) {
                throw new TensorException(asked(what, in) + "the window does not fit: calculated output size would be "
                        + out[lead + d] + " in dimension " + (lead + d) + ". Use a smaller window.");
            }
        }
        return out;
    }

    private long size(int d, long in) {
        long room = in + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1;
        long out = Math.floorDiv(room + (ceil ? stride[d] - 1 : 0), stride[d]) + 1;
        return ceil && (out - 1) * stride[d] >= in + padding[d] ? out - 1 : out;
    }
}
