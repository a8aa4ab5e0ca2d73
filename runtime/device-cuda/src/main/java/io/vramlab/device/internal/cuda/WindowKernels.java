package io.vramlab.device.internal.cuda;

import io.vramlab.device.WindowArithmetic.Window;
import io.vramlab.device.Operand;

/** Convolution and pooling. */
final class WindowKernels {

    private static final int BLOCK = 256;

    private final Launcher launcher;
    private final PtxModule module;

    WindowKernels(CudaContext context, Launcher launcher) {
        this.launcher = launcher;
        this.module = context.module("conv");
    }

    void conv2d(Operand out, Operand in, Operand weight, Operand bias, Window w, long stream) {
        images("conv", out, in, weight, bias, in, out, w, stream);
    }

    void conv2dBackwardInput(Operand gradIn, Operand gradOut, Operand weight, Window w, long stream) {
        images("conv_input", gradIn, gradOut, weight, null, gradIn, gradOut, w, stream);
    }

    void conv2dBackwardWeight(Operand gradWeight, Operand gradOut, Operand in, Window w, long stream) {
        long n = gradWeight.count();
        if (n > 0) {
            launcher.launch(module.function(ComputeType.of(gradWeight.dtype()).of("conv_weight")), n, BLOCK, stream,
                    images(gradWeight, gradOut, in, null, in, gradOut, w));
        }
    }

    private void images(String name, Operand written, Operand a, Operand b, Operand bias, Operand in, Operand out,
            Window w, long stream) {
        long n = written.count();
        if (n > 0) {
            launcher.launch(module.function(ComputeType.of(written.dtype()).of(name)), (n + BLOCK - 1) / BLOCK, BLOCK,
                    stream, images(written, a, b, bias, in, out, w));
        }
    }

    private Launcher.Arguments images(Operand written, Operand a, Operand b, Operand bias, Operand in, Operand out,
            Window w) {
        Launcher.Arguments args = operands(written, a, b, bias).add(size(in, 0)).add(w.groups()).add(size(in, 1))
                .add(size(in, 2)).add(size(in, 3)).add(size(out, 1)).add(size(out, 2)).add(size(out, 3));
        return window(args, w, bias);
    }

    void maxPool2d(Operand out, Operand indices, Operand in, Window w, long stream) {
        planes("max_pool", out, in, indices, in, out, w, stream);
    }

    void maxPool2dBackward(Operand gradIn, Operand gradOut, Operand indices, Window w, long stream) {
        planes("max_pool_backward", gradIn, gradOut, indices, gradIn, gradOut, w, stream);
    }

    void avgPool2d(Operand out, Operand in, Window w, long stream) {
        planes("avg_pool", out, in, null, in, out, w, stream);
    }

    void avgPool2dBackward(Operand gradIn, Operand gradOut, Window w, long stream) {
        planes("avg_pool_backward", gradIn, gradOut, null, gradIn, gradOut, w, stream);
    }

    private void planes(String name, Operand written, Operand a, Operand b, Operand in, Operand out, Window w,
            long stream) {
        long n = written.count();
        if (n == 0) {
            return;
        }
        int rank = in.shape().length;
        Launcher.Arguments args = operands(written, a, b, null).add(0).add(1).add(1).add(size(in, rank - 2))
                .add(size(in, rank - 1)).add(1).add(size(out, rank - 2)).add(size(out, rank - 1));
        launcher.launch(module.function(name), launcher.blocks(n, BLOCK), BLOCK, stream, window(args, w, null));
    }

    private Launcher.Arguments operands(Operand written, Operand a, Operand b, Operand bias) {
        return launcher.arguments().add(written).add(a).addOrNone(b).addOrNone(bias).add(written.count());
    }

    private static Launcher.Arguments window(Launcher.Arguments args, Window w, Operand bias) {
        return args.add(w.kernelH()).add(w.kernelW()).add(w.strideH()).add(w.strideW()).add(w.padH()).add(w.padW())
                .add(w.dilationH()).add(w.dilationW()).add(bias == null ? 0 : 1);
    }

    private static int size(Operand o, int dim) {
        return Math.toIntExact(o.shape()[dim]);
    }
}
