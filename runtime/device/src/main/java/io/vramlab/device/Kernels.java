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

    /** {@return false where nothing is computed: then no values need be read or made} */
    default boolean computes() {
        return true;
    }

    /**
     * {@code out[i] = op(inputs[i]…; scalars…)} over {@code out}'s shape; inputs have the same shape (stride 0 where
     * broadcast). {@code out} may be the very same operand as an input (in-place), and must not overlap otherwise.
     *
     * @param op
     *            the operation; says how many inputs and scalars it takes and what they mean
     * @param scalars
     *            s0, s1, …; empty for an operation that takes none
     * @param out
     *            any shape and strides, its dtype that of the result (bool for comparisons)
     * @param inputs
     *            {@link ElementOp#inputs} operands of {@code out}'s shape
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void elementwise(ElementOp op, double[] scalars, Operand out, Operand[] inputs, long stream);

    /**
     * The same operation over many small tensors: one launch where the device can. {@code inputs[t]} are the inputs for
     * {@code outs[t]}; {@code scalars} holds either one row for all or one row per tensor.
     *
     * @param op
     *            the operation
     * @param scalars
     *            [1][…], the same for all, or [tensors][…]
     * @param outs
     *            one output per tensor, of any shapes
     * @param inputs
     *            [tensors][{@link ElementOp#inputs}], each row of its output's shape
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    default void foreach(ElementOp op, double[][] scalars, Operand[] outs, Operand[][] inputs, long stream) {
        for (int t = 0; t < outs.length; t++) {
            elementwise(op, scalars.length == 1 ? scalars[0] : scalars[t], outs[t], inputs[t], stream);
        }
    }

    /**
     * Reduces {@code in} into {@code out}, which has the same rank with size 1 in every reduced dimension. Inputs are
     * converted to {@code out}'s dtype (at least float) before they are combined.
     *
     * @param op
     *            how elements are combined
     * @param out
     *            written; of {@code in}'s rank
     * @param in
     *            any shape and strides
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void reduce(ReduceOp op, Operand out, Operand in, long stream);

    /**
     * Largest (or smallest) along one dimension with its index: {@code values} and {@code indices} (int64) have size 1
     * there.
     *
     * @param largest
     *            true for the largest, false for the smallest
     * @param values
     *            written; {@code in}'s dtype
     * @param indices
     *            written; positions along {@code dim}
     * @param in
     *            any shape and strides
     * @param dim
     *            from 0
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void reduceWithIndex(boolean largest, Operand values, Operand indices, Operand in, int dim, long stream);

    /**
     * {@code c = alpha * a b + beta * c} over the last two dimensions: a is [… m k], b [… k n], c [… m n], equal leading
     * sizes (stride 0 where broadcast). Transposes are strides. One floating dtype for all three; float16 and bfloat16
     * accumulate in float. With beta 0, c is not read.
     *
     * @param c
     *            written; [… m n]
     * @param a
     *            [… m k]
     * @param b
     *            [… k n]
     * @param alpha
     *            factor of the product
     * @param beta
     *            factor of what {@code c} holds
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void matmul(Operand c, Operand a, Operand b, double alpha, double beta, long stream);

    /**
     * Softmax, or its logarithm, along {@code dim}.
     *
     * @param out
     *            written; {@code in}'s shape
     * @param in
     *            any shape and strides
     * @param dim
     *            along which the results add up to 1, from 0
     * @param log
     *            whether the logarithm is written
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void softmax(Operand out, Operand in, int dim, boolean log, long stream);

    /**
     * Gradient of softmax, or of its logarithm, from the gradient and the forward result.
     *
     * @param gradIn
     *            written; {@code result}'s shape
     * @param gradOut
     *            gradient of {@code result}
     * @param result
     *            what {@link #softmax} wrote
     * @param dim
     *            as in {@link #softmax}
     * @param log
     *            as in {@link #softmax}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void softmaxBackward(Operand gradIn, Operand gradOut, Operand result, int dim, boolean log, long stream);

    /**
     * Negative log likelihood of [… classes] log-probabilities for int64 targets […]: {@code out} is [] (mean or sum) or
     * […] (none); {@code totalWeight} [] receives the number of targets that count, or the sum of their weights.
     *
     * @param out
     *            written
     * @param totalWeight
     *            written, whatever the reduction
     * @param logProbabilities
     *            [… classes]
     * @param target
     *            int64 […]; one below 0 or not below classes, and not {@code ignoreIndex}, is a late fault
     * @param weight
     *            [classes], or null for 1 each
     * @param reduction
     *            0 none, 1 mean, 2 sum
     * @param ignoreIndex
     *            a target that does not count
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void nllLoss(Operand out, Operand totalWeight, Operand logProbabilities, Operand target, Operand weight,
            int reduction,
            long ignoreIndex, long stream);

    /**
     * Gradient of {@link #nllLoss} for its log-probabilities; {@code gradIn} was zeroed by the caller.
     *
     * @param gradIn
     *            [… classes], zeros; one element of each row that counts is written
     * @param gradOut
     *            [] (mean or sum) or […] (none)
     * @param target
     *            as in {@link #nllLoss}
     * @param totalWeight
     *            what {@link #nllLoss} wrote; the mean's divisor
     * @param weight
     *            as in {@link #nllLoss}
     * @param reduction
     *            as in {@link #nllLoss}
     * @param ignoreIndex
     *            as in {@link #nllLoss}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void nllLossBackward(Operand gradIn, Operand gradOut, Operand target, Operand totalWeight, Operand weight,
            int reduction,
            long ignoreIndex, long stream);

    /**
     * Whether the gradient of a cross-entropy with these log-probabilities goes through
     * {@link #nllLossBackwardRows} and {@link #logSoftmaxBackwardRows}, which spare passes over memory.
     *
     * @param logProbabilities
     *            [rows classes], the result of a log-softmax
     * @return false unless the device says otherwise
     */
    default boolean keepsGradientRows(Operand logProbabilities) {
        return false;
    }

    /**
     * {@link #nllLossBackward} for {@link #logSoftmaxBackwardRows} alone: of {@code rows}, which nobody zeroed, it writes as
     * much as the device needs to know the one element of each row that is not zero.
     *
     * @param rows
     *            [rows classes]; what is in it afterwards only {@link #logSoftmaxBackwardRows} can read
     * @param gradOut
     *            [] (mean or sum) or [rows] (none)
     * @param target
     *            int64 [rows]
     * @param totalWeight
     *            what {@link #nllLoss} wrote
     * @param reduction
     *            as in {@link #nllLoss}
     * @param ignoreIndex
     *            as in {@link #nllLoss}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     * @throws UnsupportedOperationException
     *             unless {@link #keepsGradientRows}
     */
    default void nllLossBackwardRows(Operand rows, Operand gradOut, Operand target, Operand totalWeight, int reduction,
            long ignoreIndex, long stream) {
        throw new UnsupportedOperationException("this device keeps no rows of gradients");
    }

    /**
     * Gradient of the logarithm of softmax along the last dimension from what {@link #nllLossBackwardRows} wrote.
     *
     * @param gradIn
     *            [rows classes], written
     * @param rows
     *            what {@link #nllLossBackwardRows} wrote
     * @param result
     *            [rows classes], what {@link #softmax} wrote
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     * @throws UnsupportedOperationException
     *             unless {@link #keepsGradientRows}
     */
    default void logSoftmaxBackwardRows(Operand gradIn, Operand rows, Operand result, long stream) {
        throw new UnsupportedOperationException("this device keeps no rows of gradients");
    }

    /**
     * Layer norm over the last dimension of [rows, columns] operands; {@code mean} and {@code rstd} are [rows]; weight
     * and bias [columns] or null. Without {@code mean}, null, nothing is centred: the norm by the root of the mean square.
     *
     * @param out
     *            [rows, columns], written
     * @param mean
     *            [rows], written: each row's mean; or null
     * @param rstd
     *            [rows], written: 1 / sqrt(variance + eps)
     * @param in
     *            [rows, columns]
     * @param weight
     *            [columns], or null for 1
     * @param bias
     *            [columns], or null for 0
     * @param eps
     *            added to the variance, which is divided by columns
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void layerNorm(Operand out, Operand mean, Operand rstd, Operand in, Operand weight, Operand bias, double eps,
            long stream);

    /**
     * Gradient of {@link #layerNorm}; any of gradIn, gradWeight, gradBias may be null.
     *
     * @param gradIn
     *            [rows, columns], written, or null
     * @param gradWeight
     *            [columns], written, or null
     * @param gradBias
     *            [columns], written, or null
     * @param gradOut
     *            [rows, columns]
     * @param in
     *            [rows, columns], as in {@link #layerNorm}
     * @param mean
     *            what {@link #layerNorm} wrote, or null if it had none
     * @param rstd
     *            what {@link #layerNorm} wrote
     * @param weight
     *            [columns], or null for 1
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void layerNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand mean, Operand rstd, Operand weight, long stream);

    /**
     * Batch norm of [n, channels, …] (rank 3: n, c, spatial). When training, statistics of the batch go to
     * {@code saveMean}, {@code saveInvStd} [c] and, if given, into the running ones by {@code momentum}; otherwise the
     * running ones are used.
     *
     * @param out
     *            {@code in}'s shape, written
     * @param saveMean
     *            [c], written when training: the batch's mean
     * @param saveInvStd
     *            [c], written when training: 1 / sqrt(variance + eps), the variance divided by n * spatial
     * @param in
     *            [n, c, spatial]
     * @param weight
     *            [c], or null for 1
     * @param bias
     *            [c], or null for 0
     * @param runningMean
     *            [c], read when not training, moved when training; null when training without them
     * @param runningVar
     *            [c], as {@code runningMean}; is moved towards the unbiased variance, divided by n * spatial - 1
     * @param training
     *            whether the batch's own statistics are used
     * @param momentum
     *            the batch's share of the new running statistics; what they held has 1 - momentum
     * @param eps
     *            added to the variance
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void batchNorm(Operand out, Operand saveMean, Operand saveInvStd, Operand in, Operand weight, Operand bias,
            Operand runningMean, Operand runningVar, boolean training, double momentum, double eps, long stream);

    /**
     * Gradient of {@link #batchNorm}; any of gradIn, gradWeight, gradBias may be null.
     *
     * @param gradIn
     *            {@code in}'s shape, written, or null
     * @param gradWeight
     *            [c], written, or null
     * @param gradBias
     *            [c], written, or null
     * @param gradOut
     *            {@code in}'s shape
     * @param in
     *            as in {@link #batchNorm}
     * @param weight
     *            [c], or null for 1
     * @param mean
     *            [c]: the batch's when training, else the running one
     * @param invStd
     *            [c]: 1 / sqrt(variance + eps), of the same origin
     * @param training
     *            as in {@link #batchNorm}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void batchNormBackward(Operand gradIn, Operand gradWeight, Operand gradBias, Operand gradOut, Operand in,
            Operand weight, Operand mean, Operand invStd, boolean training, long stream);

    /**
     * {@code out[…] = in[… index[…] …]} along {@code dim}: out and index (int64) have one shape. An index out of range is
     * a late fault.
     *
     * @param out
     *            written
     * @param in
     *            of {@code out}'s rank
     * @param dim
     *            the dimension in which the index stands for the position, from 0
     * @param index
     *            int64, of {@code out}'s shape
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void gather(Operand out, Operand in, int dim, Operand index, long stream);

    /**
     * {@code out[… index[…] …] += in[…]} along {@code dim}; sums in a fixed order.
     *
     * @param out
     *            added to
     * @param dim
     *            the dimension in which the index stands for the position, from 0
     * @param index
     *            int64; one out of range is a late fault
     * @param in
     *            of {@code index}'s shape
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void scatterAdd(Operand out, int dim, Operand index, Operand in, long stream);

    /**
     * {@code out[… index[…] …] = op(out[… index[…] …], in[…])} along {@code dim}; index (int64) and in have one shape, in the
     * order of the index. Without {@code in}, null, {@code value} goes everywhere.
     *
     * @param op
     *            how what is there and what comes are combined
     * @param out
     *            changed where the index points
     * @param dim
     *            the dimension in which the index stands for the position, from 0
     * @param index
     *            int64; one out of range is a late fault
     * @param in
     *            of {@code index}'s shape, or null
     * @param value
     *            what goes everywhere without {@code in}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void scatter(ScatterOp op, Operand out, int dim, Operand index, Operand in, double value, long stream);

    /**
     * Elements by several indices at once: {@code out[i] = in[i + Σ indices[k][i] * strides[k]]}. {@code in} has {@code out}'s
     * shape, with stride 0 in the dimensions that are indexed; the int64 indices are of {@code out}'s shape too, and may be
     * negative: they count from {@code sizes[k]} then. At most four indices.
     *
     * @param out
     *            written
     * @param in
     *            see above; its address is that of the element with all indices 0
     * @param indices
     *            int64, of {@code out}'s shape, stride 0 where broadcast; one out of range is a late fault
     * @param sizes
     *            of the indexed dimensions, in elements, one per index
     * @param strides
     *            of the indexed dimensions in {@code in}, in elements, one per index
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void indexGet(Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides, long stream);

    /**
     * The other way: {@code out[i + Σ …] = op(…, in[i])}, in the order of {@code in}; see {@link #indexGet}.
     *
     * @param op
     *            how what is there and what comes are combined
     * @param out
     *            changed where the indices point; strides as {@code in} of {@link #indexGet}
     * @param in
     *            the values
     * @param indices
     *            as in {@link #indexGet}, of {@code in}'s shape
     * @param sizes
     *            of the indexed dimensions, in elements, one per index
     * @param strides
     *            of the indexed dimensions in {@code out}, in elements, one per index
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void indexPut(ScatterOp op, Operand out, Operand in, Operand[] indices, long[] sizes, long[] strides, long stream);

    /**
     * Carries sums, products or extremes along {@code dim}. All operands have one shape; {@code indices} (int64) tells where an
     * extreme was found, and is null for the others. In the output's dtype (at least float).
     *
     * @param op
     *            what is carried
     * @param out
     *            written
     * @param indices
     *            int64, written for an extreme; else null
     * @param in
     *            any strides
     * @param dim
     *            from 0
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void scan(ScanOp op, Operand out, Operand indices, Operand in, int dim, long stream);

    /**
     * Rows: {@code out[i] = in[index[i]]}, over the first dimension; index is int64 of rank 1. The base of embeddings and
     * of indexing by a tensor.
     *
     * @param out
     *            [indices, …], written
     * @param in
     *            [rows, …]
     * @param index
     *            int64; one out of range is a late fault
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void indexSelect(Operand out, Operand in, Operand index, long stream);

    /**
     * Rows: {@code out[index[i]] += in[i]}, in a fixed order.
     *
     * @param out
     *            [rows, …], added to
     * @param index
     *            int64 [indices]; one out of range is a late fault
     * @param in
     *            [indices, …]
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void indexAdd(Operand out, Operand index, Operand in, long stream);

    /**
     * The k largest (or smallest) along the last dimension, sorted; k = its size sorts everything. {@code indices} is
     * int64.
     *
     * @param values
     *            [… k], written
     * @param indices
     *            [… k], written: positions in {@code in}'s last dimension
     * @param in
     *            [… n], n at least k
     * @param largest
     *            true for the largest first, false for the smallest first
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void topk(Operand values, Operand indices, Operand in, boolean largest, long stream);

    /**
     * What a two-dimensional window does.
     *
     * <p>
     * All numbers are in elements, the second of a pair along the last dimension; pooling ignores {@code groups}.
     *
     * @param kernelH
     *            height of the window
     * @param kernelW
     *            width of the window
     * @param strideH
     *            rows from one window to the next
     * @param strideW
     *            columns from one window to the next
     * @param padH
     *            rows added above, and as many below
     * @param padW
     *            columns added on the left, and as many on the right
     * @param dilationH
     *            rows from one element of the window to the next, 1 without dilation
     * @param dilationW
     *            columns from one element of the window to the next
     * @param groups
     *            into how many parts the channels fall that do not see each other; 1 for a plain convolution
     */
    record Window(int kernelH, int kernelW, int strideH, int strideW, int padH, int padW, int dilationH,
            int dilationW, int groups) {
    }

    /** {@return who computes convolutions where it can, or none: then it is {@link #conv2d} and its gradients} */
    default Optional<ConvolutionLibrary> convolutions() {
        return Optional.empty();
    }

    /** {@return who computes recurrent networks where it can, or none: then they are computed on the host} */
    default Optional<RecurrentLibrary> recurrent() {
        return Optional.empty();
    }

    /**
     * Convolution of [n c h w] with [k c/groups kh kw]; bias [k] or null.
     *
     * @param out
     *            [n k oh ow], written
     * @param in
     *            [n c h w]
     * @param weight
     *            [k c/groups kh kw]
     * @param bias
     *            [k], or null
     * @param window
     *            its kernel sizes are the weight's
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void conv2d(Operand out, Operand in, Operand weight, Operand bias, Window window, long stream);

    /**
     * Gradient of {@link #conv2d} for its input.
     *
     * @param gradIn
     *            [n c h w], written
     * @param gradOut
     *            [n k oh ow]
     * @param weight
     *            [k c/groups kh kw]
     * @param window
     *            as in {@link #conv2d}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void conv2dBackwardInput(Operand gradIn, Operand gradOut, Operand weight, Window window, long stream);

    /**
     * Gradient of {@link #conv2d} for its weight.
     *
     * @param gradWeight
     *            [k c/groups kh kw], written
     * @param gradOut
     *            [n k oh ow]
     * @param in
     *            [n c h w]
     * @param window
     *            as in {@link #conv2d}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void conv2dBackwardWeight(Operand gradWeight, Operand gradOut, Operand in, Window window, long stream);

    /**
     * Largest of each window, with int64 indices into the h*w plane.
     *
     * @param out
     *            [n c oh ow], written
     * @param indices
     *            int64 [n c oh ow], written: h * width + w of the element that was largest
     * @param in
     *            [n c h w]; padding is never the largest
     * @param window
     *            which elements an output sees
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void maxPool2d(Operand out, Operand indices, Operand in, Window window, long stream);

    /**
     * Gradient of {@link #maxPool2d}; {@code gradIn} was zeroed by the caller.
     *
     * @param gradIn
     *            [n c h w], zeros; windows that share their largest element add up
     * @param gradOut
     *            [n c oh ow]
     * @param indices
     *            what {@link #maxPool2d} wrote
     * @param window
     *            as in {@link #maxPool2d}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void maxPool2dBackward(Operand gradIn, Operand gradOut, Operand indices, Window window, long stream);

    /**
     * Mean of each window; padding counts, as PyTorch's default.
     *
     * @param out
     *            [n c oh ow], written
     * @param in
     *            [n c h w]
     * @param window
     *            which elements an output sees
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void avgPool2d(Operand out, Operand in, Window window, long stream);

    /**
     * Gradient of {@link #avgPool2d}.
     *
     * @param gradIn
     *            [n c h w], written
     * @param gradOut
     *            [n c oh ow]
     * @param window
     *            as in {@link #avgPool2d}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void avgPool2dBackward(Operand gradIn, Operand gradOut, Window window, long stream);

    /**
     * Random values, a function of (seed, offset, element index) alone: the same on every device.
     *
     * @param op
     *            the distribution; says what {@code a} and {@code b} are
     * @param out
     *            written; any shape and dtype
     * @param a
     *            the distribution's first number
     * @param b
     *            its second number; ignored by {@link RandomOp#BERNOULLI}
     * @param seed
     *            the generator's seed
     * @param offset
     *            Philox counter offset; one call consumes ceil(count / 4) counters
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void random(RandomOp op, Operand out, double a, double b, long seed, long offset, long stream);

    /**
     * {@code out = in * mask / (1 - p)}, mask (bool) drawn here with probability 1 - p of true.
     *
     * @param out
     *            {@code in}'s shape, written
     * @param mask
     *            bool, {@code in}'s shape, written: true where the element stayed
     * @param in
     *            any floating dtype
     * @param p
     *            probability with which an element becomes 0
     * @param seed
     *            the generator's seed
     * @param offset
     *            Philox counter offset, as in {@link #random}
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void dropout(Operand out, Operand mask, Operand in, double p, long seed, long offset, long stream);

    /**
     * {@code out[i] = start + i * step}.
     *
     * @param out
     *            rank 1, written
     * @param start
     *            the first element
     * @param step
     *            from one element to the next
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void arange(Operand out, double start, double step, long stream);

    /**
     * Keeps the triangle with column - row &lt;= diagonal (lower) or &gt;= diagonal (upper); zero elsewhere.
     *
     * @param out
     *            [… rows, columns], written
     * @param in
     *            of {@code out}'s shape
     * @param upper
     *            true to keep what lies right of the diagonal, false for what lies left of it
     * @param diagonal
     *            0 for the main one, positive for those right of it
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void triangle(Operand out, Operand in, boolean upper, long diagonal, long stream);

    /**
     * One Adam or AdamW step over many tensors in one launch (the "fused" form). {@code maxExpAvgSq} is null without
     * amsgrad; {@code foundInf} and {@code gradScale} (float32 scalars) are null without a scaler.
     *
     * @param params
     *            parameters, changed
     * @param grads
     *            of the parameters' shapes; with {@code gradScale} they are divided by it in place
     * @param expAvg
     *            moving averages of the gradients, changed
     * @param expAvgSq
     *            moving averages of the squared gradients, changed
     * @param maxExpAvgSq
     *            the largest {@code expAvgSq} so far, changed; or null
     * @param steps
     *            scalars, each its parameter's count of steps with this one, from 1; read alone
     * @param lr
     *            learning rate
     * @param beta1
     *            what {@code expAvg} keeps of itself
     * @param beta2
     *            what {@code expAvgSq} keeps of itself
     * @param eps
     *            added to the denominator
     * @param weightDecay
     *            0 for none
     * @param decoupled
     *            true for AdamW
     * @param maximize
     *            whether the step goes up the gradient
     * @param gradScale
     *            the scaler's scale, by which gradients are too large; or null
     * @param foundInf
     *            not 0 if a gradient was not finite: then nothing is changed; or null
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void fusedAdam(Operand[] params, Operand[] grads, Operand[] expAvg, Operand[] expAvgSq, Operand[] maxExpAvgSq,
            Operand[] steps, double lr, double beta1, double beta2, double eps, double weightDecay, boolean decoupled,
            boolean maximize, Operand gradScale, Operand foundInf, long stream);

    /**
     * One SGD step over many tensors in one launch; {@code momentumBuffers} null without momentum.
     *
     * @param params
     *            parameters, changed
     * @param grads
     *            of the parameters' shapes; with {@code gradScale} they are divided by it in place
     * @param momentumBuffers
     *            of the parameters' shapes, changed; or null
     * @param lr
     *            learning rate
     * @param momentum
     *            what a buffer keeps of itself
     * @param dampening
     *            a gradient enters its buffer with 1 - dampening
     * @param weightDecay
     *            factor of the parameter that is added to its gradient, 0 for none
     * @param nesterov
     *            whether the step looks ahead by the momentum
     * @param maximize
     *            whether the step goes up the gradient
     * @param firstStep
     *            whether the buffers hold nothing yet and become the gradients
     * @param gradScale
     *            float32 scalar by which gradients are too large; or null
     * @param foundInf
     *            float32 scalar, not 0 if a gradient was not finite: then nothing is changed; or null
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void fusedSgd(Operand[] params, Operand[] grads, Operand[] momentumBuffers, double lr, double momentum,
            double dampening, double weightDecay, boolean nesterov, boolean maximize, boolean firstStep,
            Operand gradScale, Operand foundInf, long stream);

    /**
     * Multiplies every gradient by {@code inverseScale} (float32 scalar) and sets {@code foundInf} (float32 scalar) to 1
     * if any was not finite.
     *
     * @param grads
     *            changed in place
     * @param foundInf
     *            set to 1 or left as it is
     * @param inverseScale
     *            1 / the scaler's scale
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
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

    /** {@return who computes attention in one piece where it can, or none: then it is {@link #attention}} */
    default Optional<FusedAttention> fusedAttention() {
        return Optional.empty();
    }

    /** {@return whose attention PyTorch calls cuDNN's, or none: then it is {@link #fusedAttention}} */
    default Optional<FusedAttention> attentionLibrary() {
        return Optional.empty();
    }

    /**
     * {@code out = dropout(softmax(scale q k' + mask)) v}: query [n, heads, l, d], key [n, kv, s, d], value [n, kv, s, e],
     * out [n, heads, l, e], where kv divides heads; mask [n, heads, l, s] (stride 0 where broadcast) or null. One floating
     * dtype for all but the mask; computed in float32. A row whose keys are all masked gives zeros.
     *
     * @param out
     *            written
     * @param query
     *            [n, heads, l, d]
     * @param key
     *            [n, kv, s, d]
     * @param value
     *            [n, kv, s, e]
     * @param mask
     *            added to the scaled scores, or null
     * @param how
     *            scale, causal or not, dropout
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void attention(Operand out, Operand query, Operand key, Operand value, Operand mask, Attention how, long stream);

    /**
     * Gradients of {@link #attention}; gradMask [n, heads, l, s] may be null.
     *
     * @param gradQuery
     *            [n, heads, l, d], written
     * @param gradKey
     *            [n, kv, s, d], written
     * @param gradValue
     *            [n, kv, s, e], written
     * @param gradMask
     *            written, or null if nobody wants it
     * @param gradOut
     *            [n, heads, l, e]
     * @param query
     *            as in {@link #attention}
     * @param key
     *            as in {@link #attention}
     * @param value
     *            as in {@link #attention}
     * @param mask
     *            as in {@link #attention}
     * @param how
     *            as in {@link #attention}, with its seed and offset: the same elements are dropped
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void attentionBackward(Operand gradQuery, Operand gradKey, Operand gradValue, Operand gradMask, Operand gradOut,
            Operand query, Operand key, Operand value, Operand mask, Attention how, long stream);
}
