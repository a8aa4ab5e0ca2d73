package io.vramlab.device.internal.model;

import io.vramlab.device.ConvolutionLibrary;
import io.vramlab.device.DType;
import io.vramlab.device.DriverStep;
import io.vramlab.device.ElementOp;
import io.vramlab.device.FusedAttention;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import io.vramlab.device.RandomOp;
import io.vramlab.device.RecurrentLibrary;
import io.vramlab.device.ReduceOp;
import io.vramlab.device.ScanOp;
import io.vramlab.device.ScatterOp;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Kernels whose launches have the driver take addresses for itself, as those of PyTorch's do that have their place (docs/plan.md,
 * "Where segments lie"). Every method of {@link Kernels} is here, those with a default too, and passes on what it is given.
 */
public final class LaunchedKernels implements Kernels {

    /** One loop for all types, which converts what it reads where they differ, and checks that it knows both. */
    private static final Set<ElementOp> LOOPS = EnumSet.of(ElementOp.ADD, ElementOp.SUB, ElementOp.MUL, ElementOp.DIV,
            ElementOp.ADD_SCALAR, ElementOp.MUL_SCALAR, ElementOp.DIV_SCALAR, ElementOp.RSUB_SCALAR, ElementOp.POW,
            ElementOp.POW_SCALAR, ElementOp.EQ, ElementOp.NE, ElementOp.LT, ElementOp.LE, ElementOp.GT, ElementOp.GE,
            ElementOp.EQ_SCALAR, ElementOp.NE_SCALAR, ElementOp.LT_SCALAR, ElementOp.LE_SCALAR, ElementOp.GT_SCALAR,
            ElementOp.GE_SCALAR, ElementOp.WHERE, ElementOp.MAXIMUM, ElementOp.MINIMUM, ElementOp.REMAINDER,
            ElementOp.REMAINDER_SCALAR, ElementOp.AND, ElementOp.OR, ElementOp.SQRT, ElementOp.RSQRT, ElementOp.EXP,
            ElementOp.LOG, ElementOp.SIN, ElementOp.COS, ElementOp.SIGMOID, ElementOp.TANH, ElementOp.LERP,
            ElementOp.ADDCMUL, ElementOp.ADDCDIV);
    private static final Set<DType> HALVES = EnumSet.of(DType.FLOAT16, DType.BFLOAT16);

    private final Kernels kernels;
    private final Consumer<DriverStep> steps;

    /** Kernels that tell {@code steps} before they start, of some steps more than once. */
    public LaunchedKernels(Kernels kernels, Consumer<DriverStep> steps) {
        this.kernels = kernels;
        this.steps = steps;
    }

    /** Most kernels of PyTorch's own; those that draw numbers and those of libraries have stack enough. */
    private void plain() {
        steps.accept(DriverStep.KERNEL);
        steps.accept(DriverStep.STACK);
    }

    /** Reductions, and what goes by indices. */
    private void checking() {
        plain();
        steps.accept(DriverStep.CHECK);
    }

    private void element(ElementOp op, Operand out, Operand[] inputs) {
        plain();
        if (op == ElementOp.COPY
                ? !hasCopyOfItsOwn(inputs[0].dtype(), out.dtype())
                : LOOPS.contains(op) && converts(out, inputs)) {
            steps.accept(DriverStep.CHECK);
        }
    }

    /** Between float32 and its halves, and where nothing is converted (Copy.cu). */
    private static boolean hasCopyOfItsOwn(DType from, DType to) {
        return from == to || from == DType.FLOAT32 && HALVES.contains(to)
                || to == DType.FLOAT32 && HALVES.contains(from);
    }

    private static boolean converts(Operand out, Operand[] inputs) {
        DType type = inputs[0].dtype();
        return out.dtype() != DType.BOOL && out.dtype() != type
                || Arrays.stream(inputs).anyMatch(each -> each.dtype() != type);
    }

    /** A bias is added by a kernel of PyTorch's. */
    private void convolution(Operand bias) {
        steps.accept(DriverStep.KERNEL);
        if (bias != null) {
            steps.accept(DriverStep.STACK);
        }
    }

    @Override
    public boolean computes() {
        return kernels.computes();
    }

    @Override
    public Optional<ConvolutionLibrary> convolutions() {
        return kernels.convolutions();
    }

    @Override
    public Optional<RecurrentLibrary> recurrent() {
        return kernels.recurrent();
    }

    @Override
    public Optional<FusedAttention> fusedAttention() {
        return kernels.fusedAttention();
    }

    @Override
    public Optional<FusedAttention> attentionLibrary() {
        return kernels.attentionLibrary();
    }

    @Override
    public void elementwise(ElementOp op, double[] scalars, Operand out, Operand[] inputs, long stream) {
        element(op, out, inputs);
        kernels.elementwise(op, scalars, out, inputs, stream);
    }

    @Override
    public void foreach(ElementOp op, double[][] scalars, Operand[] outs, Operand[][] inputs, long stream) {
        plain();
        kernels.foreach(op, scalars, outs, inputs, stream);
    }

    @Override
    public void reduce(ReduceOp op, Operand out, Operand in, long stream) {
        checking();
        kernels.reduce(op, out, in, stream);
    }

    @Override
    public void reduceWithIndex(boolean largest, Operand values, Operand indices, Operand in, int dim, long stream) {
        checking();
        kernels.reduceWithIndex(largest, values, indices, in, dim, stream);
    }

    @Override
    public void matmul(Operand c, Operand a, Operand b, double alpha, double beta, long stream) {
        steps.accept(DriverStep.KERNEL);
        kernels.matmul(c, a, b, alpha, beta, stream);
    }

    @Override
    public void softmax(Operand out, Operand in, int dim, boolean log, long stream) {
        plain();
        kernels.softmax(out, in, dim, log, stream);
    }

    @Override
    public void softmaxBackward(Operand gradIn, Operand gradOut, Operand result, int dim, boolean log, long stream) {
        plain();
        kernels.softmaxBackward(gradIn, gradOut, result, dim, log, stream);
    }

    @Override
    public void nllLoss(Operand out, Operand totalWeight, Operand logProbabilities, Operand target, Operand weight,
            int reduction,
            long ignoreIndex, long stream) {
        checking();
        kernels.nllLoss(out, totalWeight, logProbabilities, target, weight, reduction, ignoreIndex, stream);
    }

    @Override
    public void nllLossBackward(Operand gradIn, Operand gradOut, Operand target, Operand totalWeight, Operand weight,
            int reduction,
            long ignoreIndex, long stream) {
        checking();
        kernels.nllLossBackward(gradIn, gradOut, target, totalWeight, weight, reduction, ignoreIndex, stream);
    }

    @Override
    public boolean keepsGradientRows(Operand logProbabilities) {
        return kernels.keepsGradientRows(logProbabilities);
    }

    @Override
    public void nllLossBackwardRows(Operand rows, Operand gradOut, Operand target, Operand totalWeight, int reduction,
            long ignoreIndex, long stream) {
        checking();
        kernels.nllLossBackwardRows(rows, gradOut, target, totalWeight, reduction, ignoreIndex, stream);
    }

    @Override
    public void logSoftmaxBackwardRows(Operand gradIn, Operand rows, Operand result, long stream) {
        plain();
        kernels.logSoftmaxBackwardRows(gradIn, rows, result, stream);
    }

    @Override
    public void layerNorm(Operand out, Operand mean, Operand rstd, Operand in, Operand weight, Operand bias, double eps,
            long stream) {
        plain();
        kernels.layerNorm(out, mean, rstd, in, weight, bias, eps, stream);
    }

    @Override
    public void layerNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand mean, Operand rstd, Operand weight, long stream) {
        plain();
        kernels.layerNormBackward(gradIn, gradWeight, gradBias, gradOut, in, mean, rstd, weight, stream);
    }

    @Override
    public void batchNorm(Operand out, Operand saveMean, Operand saveInvStd, Operand in, Operand weight, Operand bias,
            Operand runningMean, Operand runningVar, boolean training, double momentum, double eps, long stream) {
        plain();
        kernels.batchNorm(out, saveMean, saveInvStd, in, weight, bias, runningMean, runningVar, training, momentum, eps,
                stream);
    }

    @Override
    public void batchNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand weight, Operand mean, Operand invStd, boolean training, long stream) {
        plain();
        kernels.batchNormBackward(gradIn, gradWeight, gradBias, gradOut, in, weight, mean, invStd, training, stream);
    }

    @Override
    public void gather(Operand out, Operand in, int dim, Operand index, long stream) {
        checking();
        kernels.gather(out, in, dim, index, stream);
    }

    @Override
    public void scatterAdd(Operand out, int dim, Operand index, Operand in, long stream) {
        checking();
        kernels.scatterAdd(out, dim, index, in, stream);
    }

    @Override
    public void scatter(ScatterOp op, Operand out, int dim, Operand index, Operand in, double value,
            long stream) {
        checking();
        kernels.scatter(op, out, dim, index, in, value, stream);
    }

    @Override
    public void indexGet(Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides, long stream) {
        checking();
        kernels.indexGet(out, in, indices, sizes, strides, stream);
    }

    @Override
    public void indexPut(ScatterOp op, Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides,
            long stream) {
        checking();
        kernels.indexPut(op, out, in, indices, sizes, strides, stream);
    }

    @Override
    public void scan(ScanOp op, Operand out, Operand indices, Operand in, int dim, long stream) {
        plain();
        kernels.scan(op, out, indices, in, dim, stream);
    }

    @Override
    public void indexSelect(Operand out, Operand in, Operand index, long stream) {
        checking();
        kernels.indexSelect(out, in, index, stream);
    }

    @Override
    public void indexAdd(Operand out, Operand index, Operand in, long stream) {
        checking();
        kernels.indexAdd(out, index, in, stream);
    }

    @Override
    public void topk(Operand values, Operand indices, Operand in, boolean largest, long stream) {
        plain();
        kernels.topk(values, indices, in, largest, stream);
    }

    @Override
    public void conv2d(Operand out, Operand in, Operand weight, Operand bias, Window window, long stream) {
        convolution(bias);
        kernels.conv2d(out, in, weight, bias, window, stream);
    }

    @Override
    public void conv2dBackwardInput(Operand gradIn, Operand gradOut, Operand weight, Window window, long stream) {
        convolution(null);
        kernels.conv2dBackwardInput(gradIn, gradOut, weight, window, stream);
    }

    @Override
    public void conv2dBackwardWeight(Operand gradWeight, Operand gradOut, Operand in, Window window, long stream) {
        convolution(null);
        kernels.conv2dBackwardWeight(gradWeight, gradOut, in, window, stream);
    }

    @Override
    public void maxPool2d(Operand out, Operand indices, Operand in, Window window, long stream) {
        plain();
        kernels.maxPool2d(out, indices, in, window, stream);
    }

    @Override
    public void maxPool2dBackward(Operand gradIn, Operand gradOut, Operand indices, Window window, long stream) {
        plain();
        kernels.maxPool2dBackward(gradIn, gradOut, indices, window, stream);
    }

    @Override
    public void avgPool2d(Operand out, Operand in, Window window, long stream) {
        plain();
        kernels.avgPool2d(out, in, window, stream);
    }

    @Override
    public void avgPool2dBackward(Operand gradIn, Operand gradOut, Window window, long stream) {
        plain();
        kernels.avgPool2dBackward(gradIn, gradOut, window, stream);
    }

    @Override
    public void random(RandomOp op, Operand out, double a, double b, long seed, long offset, long stream) {
        steps.accept(DriverStep.KERNEL);
        kernels.random(op, out, a, b, seed, offset, stream);
    }

    @Override
    public void dropout(Operand out, Operand mask, Operand in, double p, long seed, long offset, long stream) {
        plain();
        kernels.dropout(out, mask, in, p, seed, offset, stream);
    }

    @Override
    public void arange(Operand out, double start, double step, long stream) {
        plain();
        kernels.arange(out, start, step, stream);
    }

    @Override
    public void triangle(Operand out, Operand in, boolean upper, long diagonal, long stream) {
        plain();
        kernels.triangle(out, in, upper, diagonal, stream);
    }

    @Override
    public void fusedAdam(Operand[] params, Operand[] grads, Operand[] expAvg, Operand[] expAvgSq,
            Operand[] maxExpAvgSq, Operand[] steps, double lr, double beta1, double beta2, double eps,
            double weightDecay, boolean decoupled, boolean maximize, Operand gradScale, Operand foundInf, long stream) {
        plain();
        kernels.fusedAdam(params, grads, expAvg, expAvgSq, maxExpAvgSq, steps, lr, beta1, beta2, eps, weightDecay,
                decoupled, maximize, gradScale, foundInf, stream);
    }

    @Override
    public void fusedSgd(Operand[] params, Operand[] grads, Operand[] momentumBuffers, double lr, double momentum,
            double dampening, double weightDecay, boolean nesterov, boolean maximize, boolean firstStep,
            Operand gradScale, Operand foundInf, long stream) {
        plain();
        kernels.fusedSgd(params, grads, momentumBuffers, lr, momentum, dampening, weightDecay, nesterov, maximize,
                firstStep, gradScale, foundInf, stream);
    }

    @Override
    public void unscale(Operand[] grads, Operand foundInf, Operand inverseScale, long stream) {
        plain();
        kernels.unscale(grads, foundInf, inverseScale, stream);
    }

    @Override
    public void attention(Operand out, Operand query, Operand key, Operand value, Operand mask, Attention how,
            long stream) {
        plain();
        kernels.attention(out, query, key, value, mask, how, stream);
    }

    @Override
    public void attentionBackward(Operand gradQuery, Operand gradKey, Operand gradValue, Operand gradMask,
            Operand gradOut, Operand query, Operand key, Operand value, Operand mask, Attention how, long stream) {
        plain();
        kernels.attentionBackward(gradQuery, gradKey, gradValue, gradMask, gradOut, query, key, value, mask, how,
                stream);
    }
}
