package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.Operand;
import io.vramlab.device.RandomOp;

/** Random values and dropout. */
final class RandomKernels {

    private static final int BLOCK = 256;
    private static final int PER_COUNTER = 4;

    private final Launcher launcher;
    private final PtxModule module;

    RandomKernels(CudaContext context, Launcher launcher) {
        this.launcher = launcher;
        this.module = context.module("random");
    }

    void random(RandomOp op, Operand out, double a, double b, long seed, long offset, long stream) {
        launch("random_fill", out, null, null, seed, offset, a, b, op.ordinal(), stream);
    }

    void dropout(Operand out, Operand mask, Operand in, double p, long seed, long offset, long stream) {
        launch("dropout", out, mask, in, seed, offset, p, 0, 0, stream);
    }

    private void launch(String name, Operand out, Operand mask, Operand in, long seed, long offset, double a, double b,
            int op, long stream) {
        long n = out.count();
        if (n == 0) {
            return;
        }
        Launcher.Arguments args = launcher.arguments().add(out).addOrNone(mask).addOrNone(in).add(n).add(seed)
                .add(offset).add(a).add(b).add(op).add(out.dtype() == DType.FLOAT64 ? 1 : 0);
        launcher.launch(module.function(name), launcher.blocks((n + PER_COUNTER - 1) / PER_COUNTER, BLOCK), BLOCK,
                stream, args);
    }
}
