package io.vramlab.device.internal.dry;

import io.vramlab.device.ElementOp;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import io.vramlab.device.RandomOp;
import io.vramlab.device.ReduceOp;
import io.vramlab.device.ScanOp;
import io.vramlab.device.ScatterOp;

/**
 * Kernels that compute nothing: the tensor layer has allocated what they would write, and that is all there is. Gradients
 * of cross-entropy go the way that passes least often over memory, because no pass does anything here.
 */
final class NoArithmetic implements Kernels {

    @Override
    public boolean computes() {
        return false;
    }

    @Override
    public void elementwise(ElementOp op, double[] scalars, Operand out, Operand[] inputs, long stream) {
    }

    @Override
    public void foreach(ElementOp op, double[][] scalars, Operand[] outs, Operand[][] inputs, long stream) {
    }

    @Override
    public void reduce(ReduceOp op, Operand out, Operand in, long stream) {
    }

    @Override
    public void reduceWithIndex(boolean largest, Operand values, Operand indices, Operand in, int dim, long stream) {
    }

    @Override
    public void matmul(Operand c, Operand a, Operand b, double alpha, double beta, long stream) {
    }

    @Override
    public void softmax(Operand out, Operand in, int dim, boolean log, long stream) {
    }

    @Override
    public void softmaxBackward(Operand gradIn, Operand gradOut, Operand result, int dim, boolean log, long stream) {
    }

    @Override
    public void nllLoss(Operand out, Operand totalWeight, Operand logProbabilities, Operand target, Operand weight,
            int reduction,
            long ignoreIndex, long stream) {
    }

    @Override
    public void nllLossBackward(Operand gradIn, Operand gradOut, Operand target, Operand totalWeight, Operand weight,
            int reduction,
            long ignoreIndex, long stream) {
    }

    @Override
    public boolean keepsGradientRows(Operand logProbabilities) {
        return true;
    }

    @Override
    public void nllLossBackwardRows(Operand rows, Operand gradOut, Operand target, Operand totalWeight, int reduction,
            long ignoreIndex, long stream) {
    }

    @Override
    public void logSoftmaxBackwardRows(Operand gradIn, Operand rows, Operand result, long stream) {
    }

    @Override
    public void layerNorm(Operand out, Operand mean, Operand rstd, Operand in, Operand weight, Operand bias, double eps,
            long stream) {
    }

    @Override
    public void layerNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand mean, Operand rstd, Operand weight, long stream) {
    }

    @Override
    public void batchNorm(Operand out, Operand saveMean, Operand saveInvStd, Operand in, Operand weight, Operand bias,
            Operand runningMean, Operand runningVar, boolean training, double momentum, double eps, long stream) {
    }

    @Override
    public void batchNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand weight, Operand mean, Operand invStd, boolean training, long stream) {
    }

    @Override
    public void gather(Operand out, Operand in, int dim, Operand index, long stream) {
    }

    @Override
    public void scatterAdd(Operand out, int dim, Operand index, Operand in, long stream) {
    }

    @Override
    public void scatter(ScatterOp op, Operand out, int dim, Operand index, Operand in, double value,
            long stream) {
    }

    @Override
    public void indexGet(Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides, long stream) {
    }

    @Override
    public void indexPut(ScatterOp op, Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides,
            long stream) {
    }

    @Override
    public void scan(ScanOp op, Operand out, Operand indices, Operand in, int dim, long stream) {
    }

    @Override
    public void indexSelect(Operand out, Operand in, Operand index, long stream) {
    }

    @Override
    public void indexAdd(Operand out, Operand index, Operand in, long stream) {
    }

    @Override
    public void topk(Operand values, Operand indices, Operand in, boolean largest, long stream) {
    }

    @Override
    public void conv2d(Operand out, Operand in, Operand weight, Operand bias, Window window, long stream) {
    }

    @Override
    public void conv2dBackwardInput(Operand gradIn, Operand gradOut, Operand weight, Window window, long stream) {
    }

    @Override
    public void conv2dBackwardWeight(Operand gradWeight, Operand gradOut, Operand in, Window window, long stream) {
    }

    @Override
    public void maxPool2d(Operand out, Operand indices, Operand in, Window window, long stream) {
    }

    @Override
    public void maxPool2dBackward(Operand gradIn, Operand gradOut, Operand indices, Window window, long stream) {
    }

    @Override
    public void avgPool2d(Operand out, Operand in, Window window, long stream) {
    }

    @Override
    public void avgPool2dBackward(Operand gradIn, Operand gradOut, Window window, long stream) {
    }

    @Override
    public void random(RandomOp op, Operand out, double a, double b, long seed, long offset, long stream) {
    }

    @Override
    public void dropout(Operand out, Operand mask, Operand in, double p, long seed, long offset, long stream) {
    }

    @Override
    public void arange(Operand out, double start, double step, long stream) {
    }

    @Override
    public void triangle(Operand out, Operand in, boolean upper, long diagonal, long stream) {
    }

    @Override
    public void fusedAdam(Operand[] params, Operand[] grads, Operand[] expAvg, Operand[] expAvgSq,
            Operand[] maxExpAvgSq, Operand[] steps, double lr, double beta1, double beta2, double eps,
            double weightDecay, boolean decoupled, boolean maximize, Operand gradScale, Operand foundInf, long stream) {
    }

    @Override
    public void fusedSgd(Operand[] params, Operand[] grads, Operand[] momentumBuffers, double lr, double momentum,
            double dampening, double weightDecay, boolean nesterov, boolean maximize, boolean firstStep,
            Operand gradScale, Operand foundInf, long stream) {
    }

    @Override
    public void unscale(Operand[] grads, Operand foundInf, Operand inverseScale, long stream) {
    }

    @Override
    public void attention(Operand out, Operand query, Operand key, Operand value, Operand mask, Attention how,
            long stream) {
    }

    @Override
    public void attentionBackward(Operand gradQuery, Operand gradKey, Operand gradValue, Operand gradMask,
            Operand gradOut, Operand query, Operand key, Operand value, Operand mask, Attention how, long stream) {
    }
}
