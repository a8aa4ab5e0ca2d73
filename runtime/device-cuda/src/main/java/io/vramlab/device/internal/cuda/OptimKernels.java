package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.DeviceException;
import io.vramlab.device.Operand;

/** Optimizer steps over many tensors in few launches. */
final class OptimKernels {

    private static final int BLOCK = 256;
    private static final int TENSORS_PER_LAUNCH = 48;

    private final Launcher launcher;
    private final PtxModule module;

    /** The constants of a step; those that it does not use are 0. */
    record Constants(double lr, double beta1, double beta2, double eps, double weightDecay, double momentum,
            double dampening, boolean decoupled, boolean maximize, boolean nesterov, boolean firstStep) {
    }

    OptimKernels(CudaContext context, Launcher launcher) {
        this.launcher = launcher;
        this.module = context.module("optim");
    }

    /** Any of m, v, most, steps may be null. All operands of one kind have one dtype and are contiguous. */
    void step(String kernel, Operand[] p, Operand[] g, Operand[] m, Operand[] v, Operand[] most, Operand[] steps,
            Constants k, Operand gradScale, Operand foundInf, long stream) {
        for (int first = 0; first < p.length; first += TENSORS_PER_LAUNCH) {
            int end = Math.min(p.length, first + TENSORS_PER_LAUNCH);
            Launcher.Arguments a = launcher.arguments().add(k.lr).add(k.beta1).add(k.beta2).add(k.eps)
                    .add(k.weightDecay).add(k.momentum).add(k.dampening)
                    .add(gradScale == null ? 0L : gradScale.address()).add(foundInf == null ? 0L : foundInf.address())
                    .add(p[first].dtype().ordinal()).add(g[first].dtype().ordinal()).add(dtype(m, first))
                    .add(dtype(steps, first)).add(k.decoupled ? 1 : 0).add(k.maximize ? 1 : 0).add(k.nesterov ? 1 : 0)
                    .add(k.firstStep ? 1 : 0);
            long longest = 0;
            for (int t = first; t < first + TENSORS_PER_LAUNCH; t++) {
                boolean there = t < end;
                for (Operand[] kind : new Operand[][]{p, g, m, v, most, steps}) {
                    a.add(there && kind != null ? contiguous(kind[t]) : 0L);
                }
                a.add(there ? p[t].count() : 0L);
                longest = Math.max(longest, there ? p[t].count() : 0);
            }
            if (longest > 0 && kernel.equals("adam") && most == null && areOctets(first, end, p, g, m, v)) {
                long blocks = Math.clamp((longest + 8L * BLOCK - 1) / (8 * BLOCK), 1, 1024);
                launcher.launch(module.function("adam_octets_" + p[first].dtype().name()), blocks, end - first, 1,
                        BLOCK,
                        0, stream, a);
            } else if (longest > 0) {
                long blocks = Math.max(1, Math.min((longest + 2 * BLOCK - 1) / (2 * BLOCK), 2048));
                launcher.launch(module.function(ComputeType.of(p[first].dtype()).of(kernel)), blocks, end - first, 1,
                        BLOCK, 0, stream, a);
            }
        }
    }

    /** Whether all are of one dtype of 16 or 32 bits, and begin where vectors may. */
    private static boolean areOctets(int first, int end, Operand[]... kinds) {
        DType dtype = kinds[0][first].dtype();
        boolean octets = dtype == DType.FLOAT32 || dtype == DType.FLOAT16 || dtype == DType.BFLOAT16;
        for (Operand[] kind : kinds) {
            for (int t = first; t < end && octets; t++) {
                octets = RowNorms.isPlain(dtype, kind[t]);
            }
        }
        return octets;
    }

    private static int dtype(Operand[] operands, int at) {
        return operands == null ? 0 : operands[at].dtype().ordinal();
    }

    private static long contiguous(Operand o) {
        if (!o.isContiguous()) {
            throw new DeviceException("A fused optimizer step was asked for over a tensor that is not contiguous; "
                    + "parameters and their state are. Use foreach or single steps.");
        }
        return o.address();
    }

    void unscale(Operand[] grads, Operand foundInf, Operand inverseScale, long stream) {
        for (Operand grad : grads) {
            if (grad.count() > 0) {
                Launcher.Arguments a = launcher.arguments().add(grad).add(inverseScale.address())
                        .add(foundInf.address()).add(grad.count());
                launcher.launch(module.function("unscale"), launcher.blocks(grad.count(), BLOCK), BLOCK, stream, a);
            }
        }
    }
}
