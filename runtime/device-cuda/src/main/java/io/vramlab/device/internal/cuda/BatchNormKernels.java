package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.Operand;
import java.util.Arrays;

/**
 * Batch norm: one block per channel, and where that would leave most of the GPU idle, several, whose parts are joined in a
 * fixed order.
 */
final class BatchNormKernels {

    private static final int BLOCK = 256;
    private static final int JOINING = 64;
    /** Blocks that keep one multiprocessor busy. */
    private static final int BLOCKS_PER_MULTIPROCESSOR = 8;
    /** Elements of a channel below which a further block is not worth its start. */
    private static final long LEAST = 2048;
    /** Elements below which starting three kernels takes longer than one that reads slowly. */
    private static final long SMALL = 1 << 18;
    private static final int BYTES_PER_PART = 2 * Double.BYTES;

    private final Launcher launcher;
    private final PtxModule module;
    private final Workspaces workspaces;
    private final long enough;

    BatchNormKernels(CudaContext context, Launcher launcher, Workspaces workspaces) {
        this.launcher = launcher;
        this.module = context.module("batchnorm");
        this.workspaces = workspaces;
        this.enough = (long) BLOCKS_PER_MULTIPROCESSOR * context.properties().multiProcessorCount();
    }

    /** What both directions name to their kernels; null where there is none of it. */
    private record Operands(Operand out, Operand in, Operand gradOut, Operand weight, Operand bias, Operand mean,
            Operand invStd, Operand runningMean, Operand runningVar, Operand gradWeight, Operand gradBias) {
    }

    private static int block(long length) {
        return length <= 128 ? 32 : length <= 512 ? 128 : BLOCK;
    }

    private static String type(DType dtype) {
        return switch (dtype) {
            case FLOAT64 -> "_d";
            case FLOAT16 -> "_h";
            case BFLOAT16 -> "_b";
            default -> "_f";
        };
    }

    void forward(Operand out, Operand saveMean, Operand saveInvStd, Operand in, Operand weight, Operand bias,
            Operand runningMean, Operand runningVar, boolean training, double momentum, double eps, long stream) {
        int has = (weight == null ? 0 : 1) + (bias == null ? 0 : 2) + (runningMean == null ? 0 : 4);
        run("batch_norm", new Operands(out, in, null, weight, bias, saveMean, saveInvStd, runningMean, runningVar, null,
                null), momentum, eps, training, training, true, has, stream);
    }

    void backward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand weight, Operand mean, Operand invStd, boolean training, long stream) {
        int has = (weight == null ? 0 : 1) + (gradWeight == null ? 0 : 8) + (gradBias == null ? 0 : 16)
                + (gradIn == null ? 0 : 32);
        run("batch_norm_backward", new Operands(gradIn, in, gradOut, weight, null, mean, invStd, null, null, gradWeight,
                gradBias), 0, 0, training, true, gradIn != null, has, stream);
    }

    /** Synchronized, because the parts in a stream's workspace belong to this call until its last launch. */
    private synchronized void run(String name, Operands o, double momentum, double eps, boolean training,
            boolean sums, boolean writes, int has, long stream) {
        if (o.in.count() == 0) {
            return;
        }
        long channels = o.in.shape()[1];
        long length = o.in.count() / channels;
        long slices = Math.max(1, Math.min(length / LEAST, (enough + channels - 1) / channels));
        if (o.in.count() < SMALL && slices == 1 || (slices + 1) * channels * BYTES_PER_PART > Workspaces.BYTES
                || length > Integer.MAX_VALUE
                || !isPlane(o.in, o.in) || !isPlane(o.out, o.in) || !isPlane(o.gradOut, o.in)) {
            launcher.launch(module.function(name), channels, block(length), stream,
                    arguments(o, length, momentum, eps, training, has, 1, channels, 0));
            return;
        }
        long parts = workspaces.of(stream);
        String type = type(o.in.dtype()) + (group(o) == 1 ? "" : "4");
        if (sums) {
            launcher.launch(module.function(name + "_parts" + type), channels * slices, BLOCK, stream,
                    arguments(o, length, momentum, eps, training, has, slices, channels, parts));
        }
        launcher.launch(module.function(name + "_join"), (channels + JOINING - 1) / JOINING, JOINING, stream,
                arguments(o, length, momentum, eps, training, has, slices, channels, parts));
        if (writes) {
            launcher.launch(module.function(name + "_write" + type), channels * slices, BLOCK, stream,
                    arguments(o, length, momentum, eps, training, has, slices, channels, parts));
        }
    }

    private Launcher.Arguments arguments(Operands o, long length, double momentum, double eps, boolean training,
            int has, long slices, long channels, long parts) {
        long inner = inner(o.in) / group(o);
        Launcher.Arguments a = launcher.arguments().addOrNone(first(o.out)).add(first(o.in)).addOrNone(first(o.gradOut))
                .addOrNone(o.weight).addOrNone(o.bias).addOrNone(o.mean).addOrNone(o.invStd).addOrNone(o.runningMean)
                .addOrNone(o.runningVar).addOrNone(o.gradWeight).addOrNone(o.gradBias).add(length).add(momentum)
                .add(eps).add(training ? 1 : 0).add(has).add(Math.toIntExact(slices)).add(Math.toIntExact(channels))
                .add((int) inner).add(magic(inner)).add(shift(inner)).add(0);
        plane(a, o.out);
        plane(a, o.in);
        plane(a, o.gradOut);
        return a.add(parts);
    }

    /** How many neighbours are read and written at once: four where all three operands have them so. */
    private static int group(Operands o) {
        return o.in.dtype() != DType.FLOAT64 && inner(o.in) % 4 == 0 && isFours(o.in) && isFours(o.out)
                && isFours(o.gradOut) ? 4 : 1;
    }

    private static boolean isFours(Operand o) {
        return o == null || element(o) == 1 && o.address() % (4L * o.dtype().bytes()) == 0 && o.strides()[0] % 4 == 0
                && o.strides()[1] % 4 == 0;
    }

    /** Bits of the smallest power of two that is at least this. */
    static int shift(long divisor) {
        return Long.SIZE - Long.numberOfLeadingZeros(divisor - 1);
    }

    /** With {@link #shift}, turns a division of numbers below 2^31 into a product: the kernel's comment has the formula. */
    static int magic(long divisor) {
        return (int) ((((1L << shift(divisor)) - divisor) << Integer.SIZE) / divisor + 1);
    }

    private static void plane(Launcher.Arguments a, Operand o) {
        if (o == null) {
            a.add(0L).add(0L).add(0L).add(0L);
        } else {
            a.add(o.address()).add(o.strides()[1]).add(o.strides()[0]).add(element(o));
        }
    }

    /** Elements of one channel of one image. */
    private static long inner(Operand o) {
        return Arrays.stream(o.shape()).skip(2).reduce(1, (x, y) -> x * y);
    }

    /** From one of them to the next. */
    private static long element(Operand o) {
        for (int d = o.shape().length - 1; d > 1; d--) {
            if (o.shape()[d] != 1) {
                return o.strides()[d];
            }
        }
        return 1;
    }

    /** Whether it has the dtype, and its elements of a channel of an image lie equally far apart. */
    private static boolean isPlane(Operand o, Operand like) {
        if (o == null) {
            return true;
        }
        long expected = element(o);
        for (int d = o.shape().length - 1; d > 1; d--) {
            if (o.shape()[d] != 1) {
                if (o.strides()[d] != expected) {
                    return false;
                }
                expected *= o.shape()[d];
            }
        }
        return o.dtype() == like.dtype();
    }

    private static Operand first(Operand o) {
        return o == null ? null : Dimensions.channelsFirst(o);
    }
}
