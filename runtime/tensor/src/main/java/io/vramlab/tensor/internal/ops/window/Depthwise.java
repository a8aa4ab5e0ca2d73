package io.vramlab.tensor.internal.ops.window;

import io.vramlab.device.DType;
import io.vramlab.tensor.internal.core.TensorImpl;
import io.vramlab.tensor.internal.ops.view.MemoryOrder;

/** Which convolutions PyTorch computes itself: those with a group for each channel (Convolution.cpp, use_cudnn_depthwise). */
public final class Depthwise {

    private static final long LEAST_CHANNELS = 32;
    private static final long LEAST_WIDTH = 7;

    private Depthwise() {
    }

    /** Whether PyTorch's own kernel computes it; the others are cuDNN's. */
    static boolean isPyTorchs(TensorImpl a, TensorImpl weight, Geometry g) {
        long channels = a.shape()[1];
        boolean depthwise = !g.transposed() && channels == g.groups() && g.groups() > 1
                && weight.shape()[0] % channels == 0;
        if (!depthwise || !a.device().isCuda()) {
            return false;
        }
        return !MemoryOrder.isChannelsLast(a, weight) && !isLibrarys(a, weight, g);
    }

    /** PyTorch's measurements on cards of 2020: float16 over squares without dilation. */
    private static boolean isLibrarys(TensorImpl a, TensorImpl weight, Geometry g) {
        if (a.dtype() != DType.FLOAT16 || g.dims() > 2 || a.shape()[1] < LEAST_CHANNELS) {
            return false;
        }
        boolean line = g.dims() == 1;
        long stride = g.stride()[g.dims() - 1];
        for (long d : g.dilation()) {
            if (d != 1) {
                return false;
            }
        }
        if (line) {
            return stride == 1;
        }
        if (g.stride()[0] != stride && a.shape()[2] != 1) {
            return false;
        }
        if (a.shape()[2] == 1 && stride == 1) {
            return true;
        }
        long filter = weight.shape()[3];
        long width = a.shape()[3];
        if (weight.shape()[2] != filter || filter != 1 && filter != 3 && filter != 5 || width < LEAST_WIDTH) {
            return false;
        }
        return stride == 1 || stride == 2 && isWorthStride(a.shape()[0], a.shape()[1], width, filter);
    }

    private static boolean isWorthStride(long batch, long channels, long width, long filter) {
        if (batch == 1) {
            return filter != 1 || width <= 28;
        }
        return filter == 1
                ? batch <= 16 && channels >= 128 && width <= 7
                : channels >= 512 || channels >= 256 && width >= 28;
    }
}
