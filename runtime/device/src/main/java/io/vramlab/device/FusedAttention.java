package io.vramlab.device;

import io.vramlab.device.AttentionArithmetic.Attention;

/**
 * Who computes attention in one piece, the scores never in memory. Operands are those of {@link Kernels#attention}; there is no
 * mask but the causal one. Gradients may be computed by another than the result was.
 */
public interface FusedAttention {

    /**
     * Memory for the time of a call, aligned to 256.
     *
     * @param address
     *            0 for none
     * @param bytes
     *            its size
     */
    record Working(long address, long bytes) {
    }

    /**
     * As {@link Kernels#attention}.
     *
     * @param out
     *            [n, heads, l, d], written
     * @param logarithms
     *            float32 [n, heads, l], contiguous: of the sum of each row's exponentials, written; or null
     * @param query
     *            [n, heads, l, d]
     * @param key
     *            [n, kv, s, d]
     * @param value
     *            [n, kv, s, d]
     * @param how
     *            factor and causal mask
     * @param working
     *            what cuDNN takes at PyTorch; may be none
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     * @return false if it cannot, for dtype, sizes, order in memory or dropout; then nothing was written
     */
    boolean forward(Operand out, Operand logarithms, Operand query, Operand key, Operand value, Attention how,
            Working working, long stream);

    /**
     * Gradients of {@link #forward}.
     *
     * @param grads
     *            of query, key and value, written
     * @param gradOut
     *            of the result
     * @param out
     *            the result
     * @param logarithms
     *            as forward gave them
     * @param query
     *            [n, heads, l, d]
     * @param key
     *            [n, kv, s, d]
     * @param value
     *            [n, kv, s, d]
     * @param how
     *            factor and causal mask
     * @param working
     *            at least one float32 for each row of queries
     * @param stream
     *            handle of the stream that runs it; 0 is the default stream
     * @return as {@link #forward}
     */
    boolean backward(Operand[] grads, Operand gradOut, Operand out, Operand logarithms, Operand query, Operand key,
            Operand value, Attention how, Working working, long stream);
}
