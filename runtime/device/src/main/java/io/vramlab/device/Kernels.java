package io.vramlab.device;

import java.util.Optional;

/**
 * The arithmetic of one device. The tensor layer checks shapes and dtypes, broadcasts, allocates every result, and then
 * calls here; a kernel takes nothing from the allocator. What PyTorch's kernel would take meanwhile, the tensor layer takes
 * and gives back, so that memory behaves as PyTorch's whatever the device, and no kernel gets to see it. All calls are asynchronous on {@code stream} and in order with its other work. Results are the same from run
 * to run, bit for bit, on one device.
 *
 * <p>
 * Its parts are interfaces of their own, a family of kernels each; this one adds the product of matrices and what is
 * true of the whole.
 *
 * <p>
 * A fault that only the data shows (an index out of range) is not thrown here: it surfaces at the next synchronising
 * call of {@link DeviceStreams} or {@link DeviceCopies}, as on a real GPU, and then at every later one.
 */
public interface Kernels
        extends
            ElementwiseArithmetic,
            ReductionArithmetic,
            LossArithmetic,
            NormArithmetic,
            IndexArithmetic,
            WindowArithmetic,
            RandomArithmetic,
            OptimizerArithmetic,
            AttentionArithmetic {

    /** {@return false where nothing is computed: then no values need be read or made} */
    default boolean computes() {
        return true;
    }

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

    /** {@return who computes recurrent networks where it can, or none: then they are computed on the host} */
    default Optional<RecurrentLibrary> recurrent() {
        return Optional.empty();
    }
}
