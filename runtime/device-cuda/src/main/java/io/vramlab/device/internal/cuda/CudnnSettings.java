package io.vramlab.device.internal.cuda;

import java.util.Locale;

/**
 * Which plans of cuDNN's may be taken, as {@code torch.backends.cudnn} says it.
 *
 * @param tf32
 *            whether float32 may be computed with TF32, as PyTorch's {@code allow_tf32}: unless {@code VRAMLAB_CUDNN_TF32} is
 *            {@code off}
 * @param deterministic
 *            whether sums are added in one order, so that a second run gives the same bits, as PyTorch's {@code deterministic}: if
 *            {@code VRAMLAB_CUDNN_DETERMINISTIC} is {@code on}
 */
record CudnnSettings(boolean tf32, boolean deterministic) {

    /** What the process is told by its properties, else by its environment. */
    static CudnnSettings now() {
        return new CudnnSettings(!"off".equals(told("tf32")), "on".equals(told("deterministic")));
    }

    private static String told(String name) {
        return System.getProperty("vramlab.cudnn." + name,
                System.getenv("VRAMLAB_CUDNN_" + name.toUpperCase(Locale.ROOT)));
    }
}
