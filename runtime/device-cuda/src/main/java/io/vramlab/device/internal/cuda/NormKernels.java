package io.vramlab.device.internal.cuda;

import io.vramlab.device.DType;
import io.vramlab.device.Operand;

/** Softmax, layer norm, negative log likelihood. */
final class NormKernels {

    private static final int BLOCK = 256;
    private static final long MAX_GRID = 1 << 20;
    private static final long LONG = 512;

    private final Launcher launcher;
    private final PtxModule softmax;
    private final PtxModule layers;
    private final PtxModule longRows;
    private final RowNorms rowNorms;

    NormKernels(CudaContext context, Launcher launcher, RowNorms rowNorms) {
        this.launcher = launcher;
        this.softmax = context.module("softmax");
        this.layers = context.module("layernorm");
        this.longRows = context.module("longrows");
        this.rowNorms = rowNorms;
    }

    private static int block(long length) {
        return length <= 128 ? 32 : length <= 512 ? 128 : BLOCK;
    }

    void softmax(Operand out, Operand in, int dim, boolean log, long stream) {
        if (out.count() == 0) {
            return;
        }
        Operand to = Dimensions.last(out, dim);
        Operand from = Dimensions.last(in, dim);
        long length = Dimensions.size(out, dim);
        long rows = out.count() / length;
        if (areLong(to, length, rows) && RowNorms.isPlain(to.dtype(), from)) {
            longRows("long_softmax_", out.address(), in.address(), 0, to.dtype(), rows, length, log, stream);
            return;
        }
        Launcher.Arguments a = launcher.arguments().add(to).add(from).addOrNone(null).add(rows).add(length)
                .add(log ? 1 : 0);
        boolean registers = isPlain(to) && isPlain(from) && length % 4 == 0 && length <= 16L * BLOCK
                && rows < Integer.MAX_VALUE;
        if (registers && length <= 1024) {
            int quads = length <= 128 ? 1 : length <= 256 ? 2 : length <= 512 ? 4 : 8;
            launcher.launch(softmax.function("softmax_warp_" + quads), (rows + 3) / 4, 128, stream, a);
        } else if (registers) {
            launcher.launch(softmax.function("softmax_registers_4"), rows, BLOCK, stream, a);
        } else {
            launcher.launch(softmax.function(ComputeType.of(out.dtype()).of("softmax")), Math.min(rows, MAX_GRID),
                    block(length), stream, a);
        }
    }

    /** Rows of a 16-bit type for which a block to each is worth it. */
    private static boolean areLong(Operand o, long length, long rows) {
        return (o.dtype() == DType.FLOAT16 || o.dtype() == DType.BFLOAT16) && RowNorms.isPlain(o.dtype(), o)
                && length % 8 == 0 && length >= LONG && rows < Integer.MAX_VALUE;
    }

    private void longRows(String kernel, long out, long first, long second, DType dtype, long rows, long length,
            boolean log, long stream) {
        launcher.launch(longRows.function(kernel + dtype.name()), rows, length >= 8 * LONG ? 2 * BLOCK : BLOCK, stream,
                launcher.arguments().add(out).add(first).add(second).add(rows).add(length).add(log ? 1 : 0));
    }

    private static boolean isPlain(Operand o) {
        return o.dtype() == DType.FLOAT32 && o.isContiguous() && o.address() % 16 == 0;
    }

    void softmaxBackward(Operand gradIn, Operand gradOut, Operand result, int dim, boolean log, long stream) {
        if (gradIn.count() == 0) {
            return;
        }
        long length = Dimensions.size(gradIn, dim);
        long rows = gradIn.count() / length;
        Operand to = Dimensions.last(gradIn, dim);
        Operand g = Dimensions.last(gradOut, dim);
        Operand y = Dimensions.last(result, dim);
        if (areLong(to, length, rows) && RowNorms.isPlain(to.dtype(), g) && RowNorms.isPlain(to.dtype(), y)) {
            longRows("long_softmax_backward_", to.address(), g.address(), y.address(), to.dtype(), rows, length, log,
                    stream);
            return;
        }
        Launcher.Arguments a = launcher.arguments().add(to).add(g).add(y).add(rows).add(length)
                .add(log ? 1 : 0);
        launcher.launch(softmax.function(ComputeType.of(gradIn.dtype()).of("softmax_backward")),
                Math.min(rows, MAX_GRID), block(length), stream, a);
    }

    void nllLoss(Operand out, Operand totalWeight, Operand logProbabilities, Operand target, Operand weight,
            int reduction,
            long ignoreIndex, long stream) {
        Launcher.Arguments a = launcher.arguments().add(out).add(totalWeight).add(logProbabilities).add(target)
                .addOrNone(weight).add(target.count()).add(last(logProbabilities)).add(ignoreIndex).add(reduction)
                .add(weight == null ? 0 : 1);
        launcher.launch(softmax.function("nll_forward"), 1, target.count() > 256 ? 1024 : BLOCK, stream, a);
    }

    private static long last(Operand rows) {
        return rows.shape()[rows.shape().length - 1];
    }

    /** A row's one element takes the place of two floats. */
    boolean keepsGradientRows(Operand log) {
        long[] shape = log.shape();
        return shape.length == 2 && log.dtype() == DType.FLOAT32 && log.isContiguous() && shape[1] >= 2
                && shape[1] < Integer.MAX_VALUE;
    }

    void nllLossBackwardRows(Operand rows, Operand gradOut, Operand target, Operand totalWeight, int reduction,
            long ignoreIndex, long stream) {
        nllLossBackward("nll_backward_rows", rows, gradOut, target, totalWeight, null, reduction, ignoreIndex, stream);
    }

    void logSoftmaxBackwardRows(Operand gradIn, Operand rows, Operand result, long stream) {
        long length = gradIn.shape()[1];
        long count = gradIn.shape()[0];
        if (count > 0) {
            launcher.launch(softmax.function("log_softmax_backward_rows"), Math.min(count, MAX_GRID), block(length),
                    stream, launcher.arguments().add(gradIn).add(rows).add(result).add(count).add(length).add(1));
        }
    }

    void nllLossBackward(Operand gradIn, Operand gradOut, Operand target, Operand totalWeight, Operand weight,
            int reduction,
            long ignoreIndex, long stream) {
        nllLossBackward("nll_backward", gradIn, gradOut, target, totalWeight, weight, reduction, ignoreIndex, stream);
    }

    private void nllLossBackward(String kernel, Operand gradIn, Operand gradOut, Operand target, Operand totalWeight,
            Operand weight, int reduction, long ignoreIndex, long stream) {
        long n = target.count();
        if (n == 0) {
            return;
        }
        Launcher.Arguments a = launcher.arguments().add(gradIn).add(totalWeight).add(gradOut).add(target)
                .addOrNone(weight).add(n).add(last(gradIn)).add(ignoreIndex).add(reduction)
                .add(weight == null ? 0 : 1);
        launcher.launch(softmax.function(kernel), (n + BLOCK - 1) / BLOCK, BLOCK, stream, a);
    }

    void layerNorm(Operand out, Operand mean, Operand rstd, Operand in, Operand weight, Operand bias, double eps,
            long stream) {
        if (out.count() == 0) {
            return;
        }
        if (RowNorms.fits(out, mean, rstd, in, weight, bias)) {
            rowNorms.forward(out, mean, rstd, in, weight, bias, eps, stream);
            return;
        }
        long length = in.shape()[in.shape().length - 1];
        long rows = in.count() / length;
        launcher.launch(layers.function(ComputeType.of(out.dtype()).of("layer_norm")), Math.min(rows, MAX_GRID),
                block(length), stream,
                layerArguments(out, mean, rstd, in, weight, bias, null, rows, length, eps));
    }

    private Launcher.Arguments layerArguments(Operand out, Operand mean, Operand rstd, Operand in, Operand weight,
            Operand bias, Operand gradOut, long rows, long length, double eps) {
        return launcher.arguments().addOrNone(out).addOrNone(mean).add(rstd).add(in).addOrNone(weight).addOrNone(bias)
                .addOrNone(gradOut).add(rows).add(length).add(eps).add(weight == null ? 0 : 1)
                .add(bias == null ? 0 : 1).add(mean == null ? 1 : 0);
    }

    void layerNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand mean, Operand rstd, Operand weight, long stream) {
        if (in.count() == 0) {
            return;
        }
        long length = in.shape()[in.shape().length - 1];
        long rows = in.count() / length;
        ComputeType type = ComputeType.of(in.dtype());
        boolean fits = RowNorms.fits(gradOut, mean, rstd, in, weight, null);
        if (gradIn != null && fits && RowNorms.isPlain(in.dtype(), gradIn)) {
            rowNorms.inputGradient(gradIn, mean, rstd, in, weight, gradOut, stream);
        } else if (gradIn != null) {
            launcher.launch(layers.function(type.of("layer_norm_input")), Math.min(rows, MAX_GRID), block(length),
                    stream, layerArguments(gradIn, mean, rstd, in, weight, null, gradOut, rows, length, 0));
        }
        if (gradWeight == null && gradBias == null) {
            return;
        }
        if (fits && (gradWeight == null || gradWeight.isContiguous())
                && (gradBias == null || gradBias.isContiguous())) {
            rowNorms.weightGradients(gradWeight, gradBias, mean, rstd, in, gradOut, stream);
        } else {
            launcher.launch(layers.function(type.of("layer_norm_weight")), (length + 31) / 32, BLOCK, stream,
                    layerArguments(null, mean, rstd, in, gradWeight, gradBias, gradOut, rows, length, 0));
        }
    }
}
