package io.vramlab.device;

import io.vramlab.device.Kernels.Attention;

/**
 * A device's kernels that compute attention in one piece, the scores never in memory. Operands are those of
 * {@link Kernels#attention}; there is no mask but the causal one.
 */
public interface FusedAttention {

    /** Whether they can: dtype, sizes, order in memory, dropout. */
    boolean computes(Operand out, Operand query, Operand key, Operand value, Attention how);

    /**
     * As {@link Kernels#attention}.
     *
     * @param logarithms
     *            float32 [n, heads, l], contiguous: of the sum of each row's exponentials; or null
     */
    void forward(Operand out, Operand logarithms, Operand query, Operand key, Operand value, Attention how,
            long stream);

    /** Whether {@link #backward} can take that gradient of the result: its order in memory. */
    boolean takes(Operand gradOut);

    /**
     * Gradients of {@link #forward}.
     *
     * @param sums
     *            float32 [n, heads, l], contiguous, to work in
     */
    void backward(Operand gradQuery, Operand gradKey, Operand gradValue, Operand sums, Operand gradOut, Operand out,
            Operand logarithms, Operand query, Operand key, Operand value, Attention how, long stream);
}
