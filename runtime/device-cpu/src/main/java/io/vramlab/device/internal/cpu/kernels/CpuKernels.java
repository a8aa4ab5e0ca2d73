package io.vramlab.device.internal.cpu.kernels;

import io.vramlab.device.AttentionSteps;
import io.vramlab.device.ElementOp;
import io.vramlab.device.HostAccess;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import io.vramlab.device.RandomOp;
import io.vramlab.device.ReduceOp;
import io.vramlab.device.ScanOp;
import io.vramlab.device.ScatterOp;
import io.vramlab.device.internal.cpu.kernels.elementwise.Elementwise;
import io.vramlab.device.internal.cpu.kernels.elementwise.FusedSteps;
import io.vramlab.device.internal.cpu.kernels.elementwise.Sequences;
import io.vramlab.device.internal.cpu.kernels.gemm.Gemm;
import io.vramlab.device.internal.cpu.kernels.gemm.Matmul;
import io.vramlab.device.internal.cpu.kernels.gemm.MicroKernel;
import io.vramlab.device.internal.cpu.kernels.index.Indexing;
import io.vramlab.device.internal.cpu.kernels.index.ManyIndices;
import io.vramlab.device.internal.cpu.kernels.index.Scanning;
import io.vramlab.device.internal.cpu.kernels.index.Scattering;
import io.vramlab.device.internal.cpu.kernels.index.Sorting;
import io.vramlab.device.internal.cpu.kernels.layers.BatchNorm;
import io.vramlab.device.internal.cpu.kernels.layers.Convolution;
import io.vramlab.device.internal.cpu.kernels.layers.LayerNorm;
import io.vramlab.device.internal.cpu.kernels.layers.NllLoss;
import io.vramlab.device.internal.cpu.kernels.layers.Pooling;
import io.vramlab.device.internal.cpu.kernels.layers.Softmax;
import io.vramlab.device.internal.cpu.kernels.random.RandomFill;
import io.vramlab.device.internal.cpu.kernels.reduce.ArgReduction;
import io.vramlab.device.internal.cpu.kernels.reduce.Axes;
import io.vramlab.device.internal.cpu.kernels.reduce.Reductions;

/**
 * {@link Kernels} in Java over memory that the host can reach. Runs on the calling thread (and the other cores, for
 * large inputs) and is done when a call returns, so streams are ignored. See the package's page for types, order of
 * additions and faults.
 */
public final class CpuKernels implements Kernels {

    private final HostAccess host;
    private final Elementwise elementwise;
    private final Gemm gemm;

    /** Kernels over one device's memory. */
    public CpuKernels(HostAccess host) {
        this(host, new Gemm(MicroKernel::best));
    }

    private CpuKernels(HostAccess host, Gemm gemm) {
        this.host = host;
        this.gemm = gemm;
        this.elementwise = new Elementwise(host);
    }

    @Override
    public void elementwise(ElementOp op, double[] scalars, Operand out, Operand[] inputs, long stream) {
        elementwise.run(op, scalars, out, inputs);
    }

    @Override
    public void reduce(ReduceOp op, Operand out, Operand in, long stream) {
        new Reductions(host).run(op, out, in);
    }

    @Override
    public void reduceWithIndex(boolean largest, Operand values, Operand indices, Operand in, int dim, long stream) {
        new ArgReduction(host).run(largest, values, indices, in, Axes.of(in, dim));
    }

    @Override
    public void matmul(Operand c, Operand a, Operand b, double alpha, double beta, long stream) {
        new Matmul(host, gemm).run(c, a, b, alpha, beta);
    }

    @Override
    public void softmax(Operand out, Operand in, int dim, boolean log, long stream) {
        new Softmax(host).forward(out, in, dim, log);
    }

    @Override
    public void softmaxBackward(Operand gradIn, Operand gradOut, Operand result, int dim, boolean log, long stream) {
        new Softmax(host).backward(gradIn, gradOut, result, dim, log);
    }

    @Override
    public void nllLoss(Operand out, Operand totalWeight, Operand logProbabilities, Operand target, Operand weight,
            int reduction,
            long ignoreIndex, long stream) {
        new NllLoss(host).forward(out, totalWeight, logProbabilities, target, weight, reduction, ignoreIndex);
    }

    @Override
    public void nllLossBackward(Operand gradIn, Operand gradOut, Operand target, Operand totalWeight, Operand weight,
            int reduction,
            long ignoreIndex, long stream) {
        new NllLoss(host).backward(gradIn, gradOut, target, totalWeight, weight, reduction, ignoreIndex);
    }

    @Override
    public void layerNorm(Operand out, Operand mean, Operand rstd, Operand in, Operand weight, Operand bias, double eps,
            long stream) {
        new LayerNorm(host).forward(out, mean, rstd, in, weight, bias, eps);
    }

    @Override
    public void layerNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand mean, Operand rstd, Operand weight, long stream) {
        new LayerNorm(host).backward(gradIn, gradWeight, gradBias, gradOut, in, mean, rstd, weight);
    }

    @Override
    public void batchNorm(Operand out, Operand saveMean, Operand saveInvStd, Operand in, Operand weight, Operand bias,
            Operand runningMean, Operand runningVar, boolean training, double momentum, double eps, long stream) {
        new BatchNorm(host).forward(out, saveMean, saveInvStd, in, weight, bias, runningMean, runningVar, training,
                momentum, eps);
    }

    @Override
    public void batchNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand weight, Operand mean, Operand invStd, boolean training, long stream) {
        new BatchNorm(host).backward(gradIn, gradWeight, gradBias, gradOut, in, weight, mean, invStd, training);
    }

    @Override
    public void gather(Operand out, Operand in, int dim, Operand index, long stream) {
        new Indexing(host).gather(out, in, dim, index);
    }

    @Override
    public void scatterAdd(Operand out, int dim, Operand index, Operand in, long stream) {
        new Indexing(host).scatterAdd(out, dim, index, in);
    }

    @Override
    public void scatter(ScatterOp op, Operand out, int dim, Operand index, Operand in, double value,
            long stream) {
        new Scattering(host).scatter(op, out, dim, index, in, value);
    }

    @Override
    public void indexGet(Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides, long stream) {
        new ManyIndices(host).indexGet(out, in, indices, sizes, strides);
    }

    @Override
    public void indexPut(ScatterOp op, Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides,
            long stream) {
        new ManyIndices(host).indexPut(op, out, in, indices, sizes, strides);
    }

    @Override
    public void scan(ScanOp op, Operand out, Operand indices, Operand in, int dim, long stream) {
        new Scanning(host).scan(op, out, indices, in, dim);
    }

    @Override
    public void indexSelect(Operand out, Operand in, Operand index, long stream) {
        new Indexing(host).indexSelect(out, in, index);
    }

    @Override
    public void indexAdd(Operand out, Operand index, Operand in, long stream) {
        new Indexing(host).indexAdd(out, index, in);
    }

    @Override
    public void topk(Operand values, Operand indices, Operand in, boolean largest, long stream) {
        new Sorting(host).topk(values, indices, in, largest);
    }

    @Override
    public void conv2d(Operand out, Operand in, Operand weight, Operand bias, Window window, long stream) {
        new Convolution(host, gemm).forward(out, in, weight, bias, window);
    }

    @Override
    public void conv2dBackwardInput(Operand gradIn, Operand gradOut, Operand weight, Window window, long stream) {
        new Convolution(host, gemm).backwardInput(gradIn, gradOut, weight, window);
    }

    @Override
    public void conv2dBackwardWeight(Operand gradWeight, Operand gradOut, Operand in, Window window, long stream) {
        new Convolution(host, gemm).backwardWeight(gradWeight, gradOut, in, window);
    }

    @Override
    public void maxPool2d(Operand out, Operand indices, Operand in, Window window, long stream) {
        new Pooling(host).max(out, indices, in, window);
    }

    @Override
    public void maxPool2dBackward(Operand gradIn, Operand gradOut, Operand indices, Window window, long stream) {
        new Pooling(host).maxBackward(gradIn, gradOut, indices);
    }

    @Override
    public void avgPool2d(Operand out, Operand in, Window window, long stream) {
        new Pooling(host).average(out, in, window);
    }

    @Override
    public void avgPool2dBackward(Operand gradIn, Operand gradOut, Window window, long stream) {
        new Pooling(host).averageBackward(gradIn, gradOut, window);
    }

    @Override
    public void random(RandomOp op, Operand out, double a, double b, long seed, long offset, long stream) {
        new RandomFill(host).run(op, out, a, b, seed, offset);
    }

    @Override
    public void dropout(Operand out, Operand mask, Operand in, double p, long seed, long offset, long stream) {
        new RandomFill(host).dropout(out, mask, in, p, seed, offset);
    }

    @Override
    public void arange(Operand out, double start, double step, long stream) {
        new Sequences(host).arange(out, start, step);
    }

    @Override
    public void triangle(Operand out, Operand in, boolean upper, long diagonal, long stream) {
        new Sequences(host).triangle(out, in, upper, diagonal);
    }

    @Override
    public void fusedAdam(Operand[] params, Operand[] grads, Operand[] expAvg, Operand[] expAvgSq,
            Operand[] maxExpAvgSq, Operand[] steps, double lr, double beta1, double beta2, double eps,
            double weightDecay, boolean decoupled, boolean maximize, Operand gradScale, Operand foundInf,
            long stream) {
        new FusedSteps(host).adam(params, grads, expAvg, expAvgSq, maxExpAvgSq, steps,
                new FusedSteps.Adam(lr, beta1, beta2, eps, weightDecay, decoupled, maximize), gradScale, foundInf);
    }

    @Override
    public void fusedSgd(Operand[] params, Operand[] grads, Operand[] momentumBuffers, double lr, double momentum,
            double dampening, double weightDecay, boolean nesterov, boolean maximize, boolean firstStep,
            Operand gradScale, Operand foundInf, long stream) {
        new FusedSteps(host).sgd(params, grads, momentumBuffers,
                new FusedSteps.Sgd(lr, momentum, dampening, weightDecay, nesterov, maximize, firstStep), gradScale,
                foundInf);
    }

    @Override
    public void unscale(Operand[] grads, Operand foundInf, Operand inverseScale, long stream) {
        new FusedSteps(host).unscale(grads, foundInf, inverseScale);
    }

    @Override
    public void attention(Operand out, Operand query, Operand key, Operand value, Operand mask, Attention how,
            long stream) {
        WorkingMemory memory = new WorkingMemory(host);
        AttentionSteps.forward(new CpuKernels(memory, gemm), memory, out, query, key, value, mask, how, stream);
    }

    @Override
    public void attentionBackward(Operand gradQuery, Operand gradKey, Operand gradValue, Operand gradMask,
            Operand gradOut, Operand query, Operand key, Operand value, Operand mask, Attention how, long stream) {
        WorkingMemory memory = new WorkingMemory(host);
        AttentionSteps.backward(new CpuKernels(memory, gemm), memory, gradQuery, gradKey, gradValue, gradMask, gradOut,
                query,
                key, value, mask, how, stream);
    }
}
