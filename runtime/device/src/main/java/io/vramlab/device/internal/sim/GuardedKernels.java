package io.vramlab.device.internal.sim;

import io.vramlab.device.ConvolutionLibrary;
import io.vramlab.device.ElementOp;
import io.vramlab.device.FusedAttention;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import io.vramlab.device.RandomOp;
import io.vramlab.device.RecurrentLibrary;
import io.vramlab.device.ReduceOp;
import io.vramlab.device.ScanOp;
import io.vramlab.device.ScatterOp;
import java.util.Optional;

/**
 * Puts kernels under a stream's rules: each call waits its turn in its stream, and what goes wrong in it is a late fault
 * instead of an exception (see {@link SimulatedStreams#submit}). Every method of {@link Kernels} is here, those with a
 * default too, and only passes on.
 */
final class GuardedKernels implements Kernels {

    private final Kernels kernels;
    private final SimulatedStreams streams;
    private final Zeroing zeroing;

    GuardedKernels(Kernels kernels, SimulatedStreams streams, Zeroing zeroing) {
        this.kernels = kernels;
        this.streams = streams;
        this.zeroing = zeroing;
    }

    /** Makes so many bytes from an address on zero. */
    @FunctionalInterface
    interface Zeroing {
        void zero(long address, long bytes);
    }

    @Override
    public boolean computes() {
        return kernels.computes();
    }

    /** None, whatever the kernels have: a library's call answers at once, and so could not wait its turn. */
    @Override
    public Optional<ConvolutionLibrary> convolutions() {
        return Optional.empty();
    }

    /** None, as with {@link #convolutions}. */
    @Override
    public Optional<RecurrentLibrary> recurrent() {
        return Optional.empty();
    }

    /** None, as with {@link #convolutions}. */
    @Override
    public Optional<FusedAttention> fusedAttention() {
        return Optional.empty();
    }

    /** None, as with {@link #convolutions}. */
    @Override
    public Optional<FusedAttention> attentionLibrary() {
        return Optional.empty();
    }

    @Override
    public void elementwise(ElementOp op, double[] scalars, Operand out, Operand[] inputs, long stream) {
        streams.submit(stream, op, isZeroing(op, scalars, out)
                ? () -> zeroing.zero(out.address(), out.count() * out.dtype().bytes())
                : () -> kernels.elementwise(op, scalars, out, inputs, stream));
    }

    /** Positive zero is no bit set in any type. */
    private static boolean isZeroing(ElementOp op, double[] scalars, Operand out) {
        return op == ElementOp.FILL && Double.doubleToRawLongBits(scalars[0]) == 0 && out.isContiguous();
    }

    @Override
    public void foreach(ElementOp op, double[][] scalars, Operand[] outs, Operand[][] inputs, long stream) {
        streams.submit(stream, op, () -> kernels.foreach(op, scalars, outs, inputs, stream));
    }

    @Override
    public void reduce(ReduceOp op, Operand out, Operand in, long stream) {
        streams.submit(stream, op, () -> kernels.reduce(op, out, in, stream));
    }

    @Override
    public void reduceWithIndex(boolean largest, Operand values, Operand indices, Operand in, int dim, long stream) {
        streams.submit(stream, "reduceWithIndex",
                () -> kernels.reduceWithIndex(largest, values, indices, in, dim, stream));
    }

    @Override
    public void matmul(Operand c, Operand a, Operand b, double alpha, double beta, long stream) {
        streams.submit(stream, "matmul", () -> kernels.matmul(c, a, b, alpha, beta, stream));
    }

    @Override
    public void softmax(Operand out, Operand in, int dim, boolean log, long stream) {
        streams.submit(stream, "softmax", () -> kernels.softmax(out, in, dim, log, stream));
    }

    @Override
    public void softmaxBackward(Operand gradIn, Operand gradOut, Operand result, int dim, boolean log, long stream) {
        streams.submit(stream, "softmaxBackward",
                () -> kernels.softmaxBackward(gradIn, gradOut, result, dim, log, stream));
    }

    @Override
    public void nllLoss(Operand out, Operand totalWeight, Operand logProbabilities, Operand target, Operand weight,
            int reduction,
            long ignoreIndex, long stream) {
        streams.submit(stream, "nllLoss",
                () -> kernels.nllLoss(out, totalWeight, logProbabilities, target, weight, reduction, ignoreIndex,
                        stream));
    }

    @Override
    public void nllLossBackward(Operand gradIn, Operand gradOut, Operand target, Operand totalWeight, Operand weight,
            int reduction,
            long ignoreIndex, long stream) {
        streams.submit(stream, "nllLossBackward",
                () -> kernels.nllLossBackward(gradIn, gradOut, target, totalWeight, weight, reduction, ignoreIndex,
                        stream));
    }

    @Override
    public boolean keepsGradientRows(Operand logProbabilities) {
        return kernels.keepsGradientRows(logProbabilities); // a question, no work
    }

    @Override
    public void nllLossBackwardRows(Operand rows, Operand gradOut, Operand target, Operand totalWeight, int reduction,
            long ignoreIndex, long stream) {
        streams.submit(stream, "nllLossBackwardRows",
                () -> kernels.nllLossBackwardRows(rows, gradOut, target, totalWeight, reduction, ignoreIndex, stream));
    }

    @Override
    public void logSoftmaxBackwardRows(Operand gradIn, Operand rows, Operand result, long stream) {
        streams.submit(stream, "logSoftmaxBackwardRows",
                () -> kernels.logSoftmaxBackwardRows(gradIn, rows, result, stream));
    }

    @Override
    public void layerNorm(Operand out, Operand mean, Operand rstd, Operand in, Operand weight, Operand bias, double eps,
            long stream) {
        streams.submit(stream, "layerNorm", () -> kernels.layerNorm(out, mean, rstd, in, weight, bias, eps, stream));
    }

    @Override
    public void layerNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand mean, Operand rstd, Operand weight, long stream) {
        streams.submit(stream, "layerNormBackward",
                () -> kernels.layerNormBackward(gradIn, gradWeight, gradBias, gradOut, in, mean, rstd, weight, stream));
    }

    @Override
    public void batchNorm(Operand out, Operand saveMean, Operand saveInvStd, Operand in, Operand weight, Operand bias,
            Operand runningMean, Operand runningVar, boolean training, double momentum, double eps, long stream) {
        streams.submit(stream, "batchNorm", () -> kernels.batchNorm(out, saveMean, saveInvStd, in, weight, bias,
                runningMean, runningVar, training, momentum, eps, stream));
    }

    @Override
    public void batchNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand weight, Operand mean, Operand invStd, boolean training, long stream) {
        streams.submit(stream, "batchNormBackward", () -> kernels.batchNormBackward(gradIn, gradWeight, gradBias,
                gradOut, in, weight, mean, invStd, training, stream));
    }

    @Override
    public void gather(Operand out, Operand in, int dim, Operand index, long stream) {
        streams.submit(stream, "gather", () -> kernels.gather(out, in, dim, index, stream));
    }

    @Override
    public void scatterAdd(Operand out, int dim, Operand index, Operand in, long stream) {
        streams.submit(stream, "scatterAdd", () -> kernels.scatterAdd(out, dim, index, in, stream));
    }

    @Override
    public void scatter(ScatterOp op, Operand out, int dim, Operand index, Operand in, double value,
            long stream) {
        streams.submit(stream, op, () -> kernels.scatter(op, out, dim, index, in, value, stream));
    }

    @Override
    public void indexGet(Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides, long stream) {
        streams.submit(stream, "indexGet", () -> kernels.indexGet(out, in, indices, sizes, strides, stream));
    }

    @Override
    public void indexPut(ScatterOp op, Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides,
            long stream) {
        streams.submit(stream, op, () -> kernels.indexPut(op, out, in, indices, sizes, strides, stream));
    }

    @Override
    public void scan(ScanOp op, Operand out, Operand indices, Operand in, int dim, long stream) {
        streams.submit(stream, op, () -> kernels.scan(op, out, indices, in, dim, stream));
    }

    @Override
    public void indexSelect(Operand out, Operand in, Operand index, long stream) {
        streams.submit(stream, "indexSelect", () -> kernels.indexSelect(out, in, index, stream));
    }

    @Override
    public void indexAdd(Operand out, Operand index, Operand in, long stream) {
        streams.submit(stream, "indexAdd", () -> kernels.indexAdd(out, index, in, stream));
    }

    @Override
    public void topk(Operand values, Operand indices, Operand in, boolean largest, long stream) {
        streams.submit(stream, "topk", () -> kernels.topk(values, indices, in, largest, stream));
    }

    @Override
    public void conv2d(Operand out, Operand in, Operand weight, Operand bias, Window window, long stream) {
        streams.submit(stream, "conv2d", () -> kernels.conv2d(out, in, weight, bias, window, stream));
    }

    @Override
    public void conv2dBackwardInput(Operand gradIn, Operand gradOut, Operand weight, Window window, long stream) {
        streams.submit(stream, "conv2dBackwardInput",
                () -> kernels.conv2dBackwardInput(gradIn, gradOut, weight, window, stream));
    }

    @Override
    public void conv2dBackwardWeight(Operand gradWeight, Operand gradOut, Operand in, Window window, long stream) {
        streams.submit(stream, "conv2dBackwardWeight",
                () -> kernels.conv2dBackwardWeight(gradWeight, gradOut, in, window, stream));
    }

    @Override
    public void maxPool2d(Operand out, Operand indices, Operand in, Window window, long stream) {
        streams.submit(stream, "maxPool2d", () -> kernels.maxPool2d(out, indices, in, window, stream));
    }

    @Override
    public void maxPool2dBackward(Operand gradIn, Operand gradOut, Operand indices, Window window, long stream) {
        streams.submit(stream, "maxPool2dBackward",
                () -> kernels.maxPool2dBackward(gradIn, gradOut, indices, window, stream));
    }

    @Override
    public void avgPool2d(Operand out, Operand in, Window window, long stream) {
        streams.submit(stream, "avgPool2d", () -> kernels.avgPool2d(out, in, window, stream));
    }

    @Override
    public void avgPool2dBackward(Operand gradIn, Operand gradOut, Window window, long stream) {
        streams.submit(stream, "avgPool2dBackward", () -> kernels.avgPool2dBackward(gradIn, gradOut, window, stream));
    }

    @Override
    public void random(RandomOp op, Operand out, double a, double b, long seed, long offset, long stream) {
        streams.submit(stream, op, () -> kernels.random(op, out, a, b, seed, offset, stream));
    }

    @Override
    public void dropout(Operand out, Operand mask, Operand in, double p, long seed, long offset, long stream) {
        streams.submit(stream, "dropout", () -> kernels.dropout(out, mask, in, p, seed, offset, stream));
    }

    @Override
    public void arange(Operand out, double start, double step, long stream) {
        streams.submit(stream, "arange", () -> kernels.arange(out, start, step, stream));
    }

    @Override
    public void triangle(Operand out, Operand in, boolean upper, long diagonal, long stream) {
        streams.submit(stream, "triangle", () -> kernels.triangle(out, in, upper, diagonal, stream));
    }

    @Override
    public void fusedAdam(Operand[] params, Operand[] grads, Operand[] expAvg, Operand[] expAvgSq,
            Operand[] maxExpAvgSq, Operand[] steps, double lr, double beta1, double beta2, double eps,
            double weightDecay, boolean decoupled, boolean maximize, Operand gradScale, Operand foundInf, long stream) {
        streams.submit(stream, "fusedAdam", () -> kernels.fusedAdam(params, grads, expAvg, expAvgSq, maxExpAvgSq, steps,
                lr, beta1, beta2, eps, weightDecay, decoupled, maximize, gradScale, foundInf, stream));
    }

    @Override
    public void fusedSgd(Operand[] params, Operand[] grads, Operand[] momentumBuffers, double lr, double momentum,
            double dampening, double weightDecay, boolean nesterov, boolean maximize, boolean firstStep,
            Operand gradScale, Operand foundInf, long stream) {
        streams.submit(stream, "fusedSgd", () -> kernels.fusedSgd(params, grads, momentumBuffers, lr, momentum,
                dampening, weightDecay, nesterov, maximize, firstStep, gradScale, foundInf, stream));
    }

    @Override
    public void unscale(Operand[] grads, Operand foundInf, Operand inverseScale, long stream) {
        streams.submit(stream, "unscale", () -> kernels.unscale(grads, foundInf, inverseScale, stream));
    }

    @Override
    public void attention(Operand out, Operand query, Operand key, Operand value, Operand mask, Attention how,
            long stream) {
        streams.submit(stream, "attention", () -> kernels.attention(out, query, key, value, mask, how, stream));
    }

    @Override
    public void attentionBackward(Operand gradQuery, Operand gradKey, Operand gradValue, Operand gradMask,
            Operand gradOut, Operand query, Operand key, Operand value, Operand mask, Attention how, long stream) {
        streams.submit(stream, "attentionBackward", () -> kernels.attentionBackward(gradQuery, gradKey, gradValue,
                gradMask, gradOut, query, key, value, mask, how, stream));
    }
}
