package io.vramlab.device;

import java.util.Optional;

/**
 * The arithmetic of one device. The tensor layer checks shapes and dtypes, broadcasts, allocates every result, and then
 * calls here; a kernel takes nothing from the allocator. What PyTorch's kernel would take meanwhile, the tensor layer takes
 * and gives back, so that memory behaves as PyTorch's whatever the device, and no kernel gets to see it. All calls are asynchronous on {@code stream} and in order with its other work. Results are the same from run
 * to run, bit for bit, on one device.
 *
 * <p>
 * A fault that only the data shows (an index out of range) is not thrown here: it surfaces at the next synchronising
 * call of {@link DeviceStreams} or {@link DeviceCopies}, as on a real GPU, and then at every later one.
 */
public interface Kernels {

    /** False where nothing is computed: then no values need be read or made. */
    default boolean computes() {
        return true;
    }

    /**
     * {@code out[i] = op(inputs[i]…; scalars…)} over {@code out}'s shape; inputs have the same shape (stride 0 where
     * broadcast). {@code out} may be the very same operand as an input (in-place), and must not overlap otherwise.
     */
    void elementwise(ElementOp op, double[] scalars, Operand out, Operand[] inputs, long stream);

    /**
     * The same operation over many small tensors: one launch where the device can. {@code inputs[t]} are the inputs for
     * {@code outs[t]}; {@code scalars} holds either one row for all or one row per tensor.
     */
    default void foreach(ElementOp op, double[][] scalars, Operand[] outs, Operand[][] inputs, long stream) {
        for (int t = 0; t < outs.length; t++) {
            elementwise(op, scalars.length == 1 ? scalars[0] : scalars[t], outs[t], inputs[t], stream);
        }
    }

    /**
     * Reduces {@code in} into {@code out}, which has the same rank with size 1 in every reduced dimension. Inputs are
     * converted to {@code out}'s dtype (at least float) before they are combined.
     */
    void reduce(ReduceOp op, Operand out, Operand in, long stream);

    /**
     * Largest (or smallest) along one dimension with its index: {@code values} and {@code indices} (int64) have size 1
     * there.
     */
    void reduceWithIndex(boolean largest, Operand values, Operand indices, Operand in, int dim, long stream);

    /**
     * {@code c = alpha * a b + beta * c} over the last two dimensions: a is [… m k], b [… k n], c [… m n], equal leading
     * sizes (stride 0 where broadcast). Transposes are strides. One floating dtype for all three; float16 and bfloat16
     * accumulate in float. With beta 0, c is not read.
     */
    void matmul(Operand c, Operand a, Operand b, double alpha, double beta, long stream);

    /** Softmax, or its logarithm, along {@code dim}. */
    void softmax(Operand out, Operand in, int dim, boolean log, long stream);

    /** Gradient of softmax, or of its logarithm, from the gradient and the forward result. */
    void softmaxBackward(Operand gradIn, Operand gradOut, Operand result, int dim, boolean log, long stream);

    /**
     * Negative log likelihood of [… classes] log-probabilities for int64 targets […]: {@code out} is [] (mean or sum) or
     * […] (none); {@code totalWeight} [] receives the number of targets that count, or the sum of their weights.
     *
     * @param weight
     *            [classes], or null for 1 each
     * @param reduction
     *            0 none, 1 mean, 2 sum
     * @param ignoreIndex
     *            a target that does not count
     */
    void nllLoss(Operand out, Operand totalWeight, Operand logProbabilities, Operand target, Operand weight,
            int reduction,
            long ignoreIndex, long stream);

    /** Gradient of {@link #nllLoss} for its log-probabilities; {@code gradIn} was zeroed by the caller. */
    void nllLossBackward(Operand gradIn, Operand gradOut, Operand target, Operand totalWeight, Operand weight,
            int reduction,
            long ignoreIndex, long stream);

    /**
     * Whether the gradient of a cross-entropy with these log-probabilities goes through
     * {@link #nllLossBackwardRows} and {@link #logSoftmaxBackwardRows}, which spare passes over memory.
     */
    default boolean keepsGradientRows(Operand logProbabilities) {
        return false;
    }

    /**
     * {@link #nllLossBackward} for {@link #logSoftmaxBackwardRows} alone: of {@code rows}, which nobody zeroed, it writes as
     * much as the device needs to know the one element of each row that is not zero.
     */
    default void nllLossBackwardRows(Operand rows, Operand gradOut, Operand target, Operand totalWeight, int reduction,
            long ignoreIndex, long stream) {
        throw new UnsupportedOperationException("this device keeps no rows of gradients");
    }

    /** Gradient of the logarithm of softmax along the last dimension from what {@link #nllLossBackwardRows} wrote. */
    default void logSoftmaxBackwardRows(Operand gradIn, Operand rows, Operand result, long stream) {
        throw new UnsupportedOperationException("this device keeps no rows of gradients");
    }

    /**
     * Layer norm over the last dimension of [rows, columns] operands; {@code mean} and {@code rstd} are [rows]; weight
     * and bias [columns] or null. Without {@code mean}, null, nothing is centred: the norm by the root of the mean square.
     */
    void layerNorm(Operand out, Operand mean, Operand rstd, Operand in, Operand weight, Operand bias, double eps,
            long stream);

    /** Gradient of {@link #layerNorm}; any of gradIn, gradWeight, gradBias may be null. */
    void layerNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand mean, Operand rstd, Operand weight, long stream);

    /**
     * Batch norm of [n, channels, …] (rank 3: n, c, spatial). When training, statistics of the batch go to
     * {@code saveMean}, {@code saveInvStd} [c] and, if given, into the running ones by {@code momentum}; otherwise the
     * running ones are used.
     */
    void batchNorm(Operand out, Operand saveMean, Operand saveInvStd, Operand in, Operand weight, Operand bias,
            Operand runningMean, Operand runningVar, boolean training, double momentum, double eps, long stream);

    /** Gradient of {@link #batchNorm}; any of gradIn, gradWeight, gradBias may be null. */
    void batchNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand weight, Operand mean, Operand invStd, boolean training, long stream);

    /**
     * {@code out[…] = in[… index[…] …]} along {@code dim}: out and index (int64) have one shape. An index out of range is
     * a late fault.
     */
    void gather(Operand out, Operand in, int dim, Operand index, long stream);

    /** {@code out[… index[…] …] += in[…]} along {@code dim}; sums in a fixed order. */
    void scatterAdd(Operand out, int dim, Operand index, Operand in, long stream);

    /**
     * {@code out[… index[…] …] = op(out[… index[…] …], in[…])} along {@code dim}; index (int64) and in have one shape, in the
     * order of the index. Without {@code in}, null, {@code value} goes everywhere.
     */
    void scatter(ScatterOp op, Operand out, int dim, Operand index, Operand in, double value, long stream);

    /**
     * Elements by several indices at once: {@code out[i] = in[i + Σ indices[k][i] * strides[k]]}. {@code in} has {@code out}'s
     * shape, with stride 0 in the dimensions that are indexed; the int64 indices are of {@code out}'s shape too, and may be
     * negative: they count from {@code sizes[k]} then. At most four indices.
     */
    void indexGet(Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides, long stream);

    /** The other way: {@code out[i + Σ …] = op(…, in[i])}, in the order of {@code in}; see {@link #indexGet}. */
    void indexPut(ScatterOp op, Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides, long stream);

    /**
     * Carries sums, products or extremes along {@code dim}. All operands have one shape; {@code indices} (int64) tells where an
     * extreme was found, and is null for the others. In the output's dtype (at least float).
     */
    void scan(ScanOp op, Operand out, Operand indices, Operand in, int dim, long stream);

    /**
     * Rows: {@code out[i] = in[index[i]]}, over the first dimension; index is int64 of rank 1. The base of embeddings and
     * of indexing by a tensor.
     */
    void indexSelect(Operand out, Operand in, Operand index, long stream);

    /** Rows: {@code out[index[i]] += in[i]}, in a fixed order. */
    void indexAdd(Operand out, Operand index, Operand in, long stream);

    /**
     * The k largest (or smallest) along the last dimension, sorted; k = its size sorts everything. {@code indices} is
     * int64.
     */
    void topk(Operand values, Operand indices, Operand in, boolean largest, long stream);

    /** What a two-dimensional window does. */
    record Window(int kernelH, int kernelW, int strideH, int strideW, int padH, int padW, int dilationH,
            int dilationW, int groups) {
    }

    /** Who computes convolutions where it can, or none: then it is {@link #conv2d} and its gradients. */
    default Optional<ConvolutionLibrary> convolutions() {
        return Optional.empty();
    }

    /** Convolution of [n c h w] with [k c/groups kh kw]; bias [k] or null. */
    void conv2d(Operand out, Operand in, Operand weight, Operand bias, Window window, long stream);

    /** Gradient of {@link #conv2d} for its input. */
    void conv2dBackwardInput(Operand gradIn, Operand gradOut, Operand weight, Window window, long stream);

    /** Gradient of {@link #conv2d} for its weight. */
    void conv2dBackwardWeight(Operand gradWeight, Operand gradOut, Operand in, Window window, long stream);

    /** Largest of each window, with int64 indices into the h*w plane. */
    void maxPool2d(Operand out, Operand indices, Operand in, Window window, long stream);

    /** Gradient of {@link #maxPool2d}; {@code gradIn} was zeroed by the caller. */
    void maxPool2dBackward(Operand gradIn, Operand gradOut, Operand indices, Window window, long stream);

    /** Mean of each window; padding counts, as PyTorch's default. */
    void avgPool2d(Operand out, Operand in, Window window, long stream);

    /** Gradient of {@link #avgPool2d}. */
    void avgPool2dBackward(Operand gradIn, Operand gradOut, Window window, long stream);

    /**
     * Random values, a function of (seed, offset, element index) alone: the same on every device.
     *
     * @param offset
     *            Philox counter offset; one call consumes ceil(count / 4) counters
     */
    void random(RandomOp op, Operand out, double a, double b, long seed, long offset, long stream);

    /** {@code out = in * mask / (1 - p)}, mask (bool) drawn here with probability 1 - p of true. */
    void dropout(Operand out, Operand mask, Operand in, double p, long seed, long offset, long stream);

    /** {@code out[i] = start + i * step}. */
    void arange(Operand out, double start, double step, long stream);

    /** Keeps the triangle with column - row &lt;= diagonal (lower) or &gt;= diagonal (upper); zero elsewhere. */
    void triangle(Operand out, Operand in, boolean upper, long diagonal, long stream);

    /**
     * One Adam or AdamW step over many tensors in one launch (the "fused" form). {@code maxExpAvgSq} is null without
     * amsgrad; {@code foundInf} and {@code gradScale} (float32 scalars) are null without a scaler.
     *
     * @param decoupled
     *            true for AdamW
     */
    void fusedAdam(Operand[] params, Operand[] grads, Operand[] expAvg, Operand[] expAvgSq, Operand[] maxExpAvgSq,
            Operand[] steps, double lr, double beta1, double beta2, double eps, double weightDecay, boolean decoupled,
            boolean maximize, Operand gradScale, Operand foundInf, long stream);

    /** One SGD step over many tensors in one launch; {@code momentumBuffers} null without momentum. */
    void fusedSgd(Operand[] params, Operand[] grads, Operand[] momentumBuffers, double lr, double momentum,
            double dampening, double weightDecay, boolean nesterov, boolean maximize, boolean firstStep,
            Operand gradScale, Operand foundInf, long stream);

    /**
     * Multiplies every gradient by {@code inverseScale} (float32 scalar) and sets {@code foundInf} (float32 scalar) to 1
     * if any was not finite.
     */
    void unscale(Operand[] grads, Operand foundInf, Operand inverseScale, long stream);

    /**
     * How attention is computed.
     *
     * @param scale
     *            factor of the products of queries and keys
     * @param causal
     *            whether a query sees no later key
     * @param dropout
     *            probability with which a probability is left out, 0 for none
     * @param seed
     *            of the random numbers of dropout
     * @param offset
     *            their Philox counter, see {@link #random}
     */
    record Attention(double scale, boolean causal, double dropout, long seed, long offset) {
    }

    /**
     * {@code out = dropout(softmax(scale q k' + mask)) v}: query [n, heads, l, d], key [n, kv, s, d], value [n, kv, s, e],
     * out [n, heads, l, e], where kv divides heads; mask [n, heads, l, s] (stride 0 where broadcast) or null. One floating
     * dtype for all but the mask; computed in float32. A row whose keys are all masked gives zeros.
     */
    void attention(Operand out, Operand query, Operand key, Operand value, Operand mask, Attention how, long stream);

    /** Gradients of {@link #attention}; gradMask [n, heads, l, s] may be null. */
    void attentionBackward(Operand gradQuery, Operand gradKey, Operand gradValue, Operand gradMask, Operand gradOut,
            Operand query, Operand key, Operand value, Operand mask, Attention how, long stream);
}
