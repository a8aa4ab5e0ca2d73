package io.vramlab.device.internal.cuda;

import io.vramlab.device.AttentionSteps;
import io.vramlab.device.ConvolutionLibrary;
import io.vramlab.device.ElementOp;
import io.vramlab.device.FusedAttention;
import io.vramlab.device.Kernels;
import io.vramlab.device.Operand;
import io.vramlab.device.PendingWork;
import io.vramlab.device.RandomOp;
import io.vramlab.device.RecurrentLibrary;
import io.vramlab.device.ReduceOp;
import io.vramlab.device.ScanOp;
import io.vramlab.device.ScatterOp;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A GPU's arithmetic. Work is shared out differently than by PyTorch's kernels: what those take from the allocator for a
 * while, the tensor layer takes and gives back, and nothing of it comes here.
 */
final class CudaKernels implements Kernels {

    private final ElementKernels elements;
    private final ReductionKernels reductions;
    private final NormKernels norms;
    private final BatchNormKernels batchNorms;
    private final IndexKernels indices;
    private final ScatterKernels scatters;
    private final WindowKernels windows;
    private final RandomKernels randoms;
    private final OptimKernels steps;
    private final MatmulKernels products;
    private final AttentionMemory attention;
    private final Optional<FusedAttention> fusedAttention;
    private final PendingWork pending;
    private final Supplier<Optional<Cudnn>> findCudnn;
    private Optional<Cudnn> cudnn;

    /** What is asked of cuDNN, by one handle. */
    private record Cudnn(CudnnHandle handle, CudnnConvolutions convolutions, CudnnRecurrent recurrent,
            CudnnAttention attention) {
    }

    CudaKernels(CudaContext context, Launcher launcher, CudaMemory memory) {
        findCudnn = () -> CudnnHandle.find(context).map(found -> new Cudnn(found,
                new CudnnConvolutions(context, found, launcher), new CudnnRecurrent(context, found, launcher),
                new CudnnAttention(context, found, launcher)));
        elements = new ElementKernels(context, launcher);
        Workspaces workspaces = new Workspaces(memory);
        RowNorms rows = new RowNorms(context, launcher, workspaces);
        reductions = new ReductionKernels(context, launcher, workspaces, rows);
        norms = new NormKernels(context, launcher, rows);
        batchNorms = new BatchNormKernels(context, launcher, new Workspaces(memory));
        indices = new IndexKernels(context, launcher);
        scatters = new ScatterKernels(context, launcher);
        windows = new WindowKernels(context, launcher);
        randoms = new RandomKernels(context, launcher);
        steps = new OptimKernels(context, launcher);
        products = new MatmulKernels(context, launcher);
        attention = new AttentionMemory(memory);
        fusedAttention = AttentionKernels.runOn(context.properties())
                ? Optional.of(new AttentionKernels(context, launcher))
                : Optional.empty();
        pending = context.status().pending();
    }

    void allowTf32(boolean on) {
        products.cublas().ifPresent(c -> c.allowTf32(on));
    }

    /** Gives the libraries' handles back; modules and memory go with the context. */
    synchronized void close() {
        products.cublas().ifPresent(CuBlas::close);
        if (cudnn != null) {
            cudnn.ifPresent(each -> {
                each.convolutions.close();
                each.attention.close();
                each.handle.close();
            });
        }
    }

    private synchronized Optional<Cudnn> cudnn() {
        if (cudnn == null) {
            cudnn = findCudnn.get();
        }
        return cudnn;
    }

    @Override
    public Optional<ConvolutionLibrary> convolutions() {
        return cudnn().map(Cudnn::convolutions);
    }

    @Override
    public Optional<RecurrentLibrary> recurrent() {
        return cudnn().map(Cudnn::recurrent);
    }

    @Override
    public void elementwise(ElementOp op, double[] scalars, Operand out, Operand[] inputs, long stream) {
        pending.launched(op, stream);
        elements.run(op, scalars, out, inputs, stream);
    }

    @Override
    public void foreach(ElementOp op, double[][] scalars, Operand[] outs, Operand[][] inputs, long stream) {
        pending.launched(op, stream);
        elements.foreach(op, scalars, outs, inputs, stream);
    }

    @Override
    public void reduce(ReduceOp op, Operand out, Operand in, long stream) {
        pending.launched(op, stream);
        reductions.reduce(op, out, in, stream);
    }

    @Override
    public void reduceWithIndex(boolean largest, Operand values, Operand at, Operand in, int dim, long stream) {
        pending.launched("reduceWithIndex", stream);
        reductions.withIndex(largest, values, at, in, stream);
    }

    @Override
    public void matmul(Operand c, Operand a, Operand b, double alpha, double beta, long stream) {
        pending.launched("matmul", stream);
        products.run(c, a, b, alpha, beta, stream);
    }

    @Override
    public void softmax(Operand out, Operand in, int dim, boolean log, long stream) {
        pending.launched("softmax", stream);
        norms.softmax(out, in, dim, log, stream);
    }

    @Override
    public void softmaxBackward(Operand gradIn, Operand gradOut, Operand result, int dim, boolean log, long stream) {
        pending.launched("softmaxBackward", stream);
        norms.softmaxBackward(gradIn, gradOut, result, dim, log, stream);
    }

    @Override
    public void nllLoss(Operand out, Operand totalWeight, Operand logProbabilities, Operand target, Operand weight,
            int reduction,
            long ignoreIndex, long stream) {
        pending.launched("nllLoss", stream);
        norms.nllLoss(out, totalWeight, logProbabilities, target, weight, reduction, ignoreIndex, stream);
    }

    @Override
    public void nllLossBackward(Operand gradIn, Operand gradOut, Operand target, Operand totalWeight, Operand weight,
            int reduction,
            long ignoreIndex, long stream) {
        pending.launched("nllLossBackward", stream);
        norms.nllLossBackward(gradIn, gradOut, target, totalWeight, weight, reduction, ignoreIndex, stream);
    }

    @Override
    public boolean keepsGradientRows(Operand logProbabilities) {
        return norms.keepsGradientRows(logProbabilities);
    }

    @Override
    public void nllLossBackwardRows(Operand rows, Operand gradOut, Operand target, Operand totalWeight, int reduction,
            long ignoreIndex, long stream) {
        pending.launched("nllLossBackward", stream);
        norms.nllLossBackwardRows(rows, gradOut, target, totalWeight, reduction, ignoreIndex, stream);
    }

    @Override
    public void logSoftmaxBackwardRows(Operand gradIn, Operand rows, Operand result, long stream) {
        pending.launched("softmaxBackward", stream);
        norms.logSoftmaxBackwardRows(gradIn, rows, result, stream);
    }

    @Override
    public void layerNorm(Operand out, Operand mean, Operand rstd, Operand in, Operand weight, Operand bias,
            double eps, long stream) {
        pending.launched("layerNorm", stream);
        norms.layerNorm(out, mean, rstd, in, weight, bias, eps, stream);
    }

    @Override
    public void layerNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand mean, Operand rstd, Operand weight, long stream) {
        pending.launched("layerNormBackward", stream);
        norms.layerNormBackward(gradIn, gradWeight, gradBias, gradOut, in, mean, rstd, weight, stream);
    }

    @Override
    public void batchNorm(Operand out, Operand saveMean, Operand saveInvStd, Operand in, Operand weight, Operand bias,
            Operand runningMean, Operand runningVar, boolean training, double momentum, double eps, long stream) {
        pending.launched("batchNorm", stream);
        batchNorms.forward(out, saveMean, saveInvStd, in, weight, bias, runningMean, runningVar, training, momentum,
                eps,
                stream);
    }

    @Override
    public void batchNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand weight, Operand mean, Operand invStd, boolean training, long stream) {
        pending.launched("batchNormBackward", stream);
        batchNorms.backward(gradIn, gradWeight, gradBias, gradOut, in, weight, mean, invStd, training, stream);
    }

    @Override
    public void gather(Operand out, Operand in, int dim, Operand index, long stream) {
        pending.launched("gather", stream);
        indices.gather(out, in, dim, index, stream);
    }

    @Override
    public void scatterAdd(Operand out, int dim, Operand index, Operand in, long stream) {
        pending.launched("scatterAdd", stream);
        indices.scatterAdd(out, dim, index, in, stream);
    }

    @Override
    public void scatter(ScatterOp op, Operand out, int dim, Operand index, Operand in, double value,
            long stream) {
        pending.launched(op, stream);
        scatters.scatter(op, out, dim, index, in, value, stream);
    }

    @Override
    public void indexGet(Operand out, Operand in, Operand[] at, long[] sizes, long[] strides, long stream) {
        pending.launched("indexGet", stream);
        scatters.indexGet(out, in, at, sizes, strides, stream);
    }

    @Override
    public void indexPut(ScatterOp op, Operand out, Operand in, Operand[] at, long[] sizes, long[] strides,
            long stream) {
        pending.launched(op, stream);
        scatters.indexPut(op, out, in, at, sizes, strides, stream);
    }

    @Override
    public void scan(ScanOp op, Operand out, Operand at, Operand in, int dim, long stream) {
        pending.launched(op, stream);
        scatters.scan(op, out, at, in, dim, stream);
    }

    @Override
    public void indexSelect(Operand out, Operand in, Operand index, long stream) {
        pending.launched("indexSelect", stream);
        indices.indexSelect(out, in, index, stream);
    }

    @Override
    public void indexAdd(Operand out, Operand index, Operand in, long stream) {
        pending.launched("indexAdd", stream);
        indices.indexAdd(out, index, in, stream);
    }

    @Override
    public void topk(Operand values, Operand at, Operand in, boolean largest, long stream) {
        pending.launched("topk", stream);
        indices.topk(values, at, in, largest, stream);
    }

    @Override
    public void conv2d(Operand out, Operand in, Operand weight, Operand bias, Window window, long stream) {
        pending.launched("conv2d", stream);
        windows.conv2d(out, in, weight, bias, window, stream);
    }

    @Override
    public void conv2dBackwardInput(Operand gradIn, Operand gradOut, Operand weight, Window window, long stream) {
        pending.launched("conv2dBackwardInput", stream);
        windows.conv2dBackwardInput(gradIn, gradOut, weight, window, stream);
    }

    @Override
    public void conv2dBackwardWeight(Operand gradWeight, Operand gradOut, Operand in, Window window, long stream) {
        pending.launched("conv2dBackwardWeight", stream);
        windows.conv2dBackwardWeight(gradWeight, gradOut, in, window, stream);
    }

    @Override
    public void maxPool2d(Operand out, Operand at, Operand in, Window window, long stream) {
        pending.launched("maxPool2d", stream);
        windows.maxPool2d(out, at, in, window, stream);
    }

    @Override
    public void maxPool2dBackward(Operand gradIn, Operand gradOut, Operand at, Window window, long stream) {
        pending.launched("maxPool2dBackward", stream);
        windows.maxPool2dBackward(gradIn, gradOut, at, window, stream);
    }

    @Override
    public void avgPool2d(Operand out, Operand in, Window window, long stream) {
        pending.launched("avgPool2d", stream);
        windows.avgPool2d(out, in, window, stream);
    }

    @Override
    public void avgPool2dBackward(Operand gradIn, Operand gradOut, Window window, long stream) {
        pending.launched("avgPool2dBackward", stream);
        windows.avgPool2dBackward(gradIn, gradOut, window, stream);
    }

    @Override
    public void random(RandomOp op, Operand out, double a, double b, long seed, long offset, long stream) {
        pending.launched(op, stream);
        randoms.random(op, out, a, b, seed, offset, stream);
    }

    @Override
    public void dropout(Operand out, Operand mask, Operand in, double p, long seed, long offset, long stream) {
        pending.launched("dropout", stream);
        randoms.dropout(out, mask, in, p, seed, offset, stream);
    }

    @Override
    public void arange(Operand out, double start, double step, long stream) {
        pending.launched("arange", stream);
        indices.arange(out, start, step, stream);
    }

    @Override
    public void triangle(Operand out, Operand in, boolean upper, long diagonal, long stream) {
        pending.launched("triangle", stream);
        indices.triangle(out, in, upper, diagonal, stream);
    }

    @Override
    public void fusedAdam(Operand[] params, Operand[] grads, Operand[] expAvg, Operand[] expAvgSq,
            Operand[] maxExpAvgSq, Operand[] count, double lr, double beta1, double beta2, double eps,
            double weightDecay, boolean decoupled, boolean maximize, Operand gradScale, Operand foundInf,
            long stream) {
        pending.launched("fusedAdam", stream);
        steps.step("adam", params, grads, expAvg, expAvgSq, maxExpAvgSq, count, new OptimKernels.Constants(lr, beta1,
                beta2, eps, weightDecay, 0, 0, decoupled, maximize, false, false), gradScale, foundInf, stream);
    }

    @Override
    public void fusedSgd(Operand[] params, Operand[] grads, Operand[] momentumBuffers, double lr, double momentum,
            double dampening, double weightDecay, boolean nesterov, boolean maximize, boolean firstStep,
            Operand gradScale, Operand foundInf, long stream) {
        pending.launched("fusedSgd", stream);
        steps.step("sgd", params, grads, momentumBuffers, null, null, null, new OptimKernels.Constants(lr, 0, 0, 0,
                weightDecay, momentum, dampening, false, maximize, nesterov, firstStep), gradScale, foundInf, stream);
    }

    @Override
    public void unscale(Operand[] grads, Operand foundInf, Operand inverseScale, long stream) {
        pending.launched("unscale", stream);
        steps.unscale(grads, foundInf, inverseScale, stream);
    }

    @Override
    public Optional<FusedAttention> fusedAttention() {
        return fusedAttention;
    }

    @Override
    public Optional<FusedAttention> attentionLibrary() {
        return cudnn().map(Cudnn::attention);
    }

    @Override
    public void attention(Operand out, Operand query, Operand key, Operand value, Operand mask, Attention how,
            long stream) {
        AttentionSteps.forward(this, attention.on(stream), out, query, key, value, mask, how, stream);
    }

    @Override
    public void attentionBackward(Operand gradQuery, Operand gradKey, Operand gradValue, Operand gradMask,
            Operand gradOut, Operand query, Operand key, Operand value, Operand mask, Attention how, long stream) {
        AttentionSteps.backward(this, attention.on(stream), gradQuery, gradKey, gradValue, gradMask, gradOut, query,
                key,
                value, mask, how, stream);
    }
}
