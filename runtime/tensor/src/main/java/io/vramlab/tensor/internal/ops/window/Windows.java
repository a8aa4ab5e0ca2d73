package io.vramlab.tensor.internal.ops.window;

import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.tensor.internal.core.TensorImpl;

/** Convolution and pooling over [n, c, h, w] as the window of a kernel tells them. */
public final class Windows {

    private Windows() {
    }

    public static TensorImpl conv2d(TensorImpl a, TensorImpl weight, TensorImpl bias, Window w) {
        return Convolutions.of(a, weight, bias,
                Geometry.of(2, new long[]{w.strideH(), w.strideW()}, new long[]{w.padH(), w.padW()},
                        new long[]{w.dilationH(), w.dilationW()}, w.groups()));
    }

    public static TensorImpl maxPool2d(TensorImpl a, Window w) {
        return MaxPools.of(a, PoolShape.of(w), null);
    }

    public static TensorImpl avgPool2d(TensorImpl a, Window w) {
        return AveragePools.of(a, PoolShape.of(w), true, 0);
    }
}
