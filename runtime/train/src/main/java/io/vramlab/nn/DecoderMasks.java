package io.vramlab.nn;

import io.vramlab.tensor.Tensor;

/**
 * Masks of a decoder by name, each bool, true where no attention is paid, or what is added to the scores:
 * {@code decoder.call(tgt, memory, new DecoderMasks().tgtMask(mask).tgtIsCausal(true))}.
 */
public final class DecoderMasks {

    Tensor tgtMask;
    Tensor memoryMask;
    Tensor tgtKeyPaddingMask;
    Tensor memoryKeyPaddingMask;
    Boolean tgtIsCausal;
    boolean memoryIsCausal;

    /** None. */
    public DecoderMasks() {
    }

    /**
     * Of the target, [l, l] or [n heads, l, l].
     *
     * @param mask
     *            null for none
     * @return this
     */
    public DecoderMasks tgtMask(Tensor mask) {
        tgtMask = mask;
        return this;
    }

    /**
     * Of the encoder's output, [l, s] or [n heads, l, s].
     *
     * @param mask
     *            null for none
     * @return this
     */
    public DecoderMasks memoryMask(Tensor mask) {
        memoryMask = mask;
        return this;
    }

    /**
     * Of the target's keys, [n, l].
     *
     * @param mask
     *            null for none
     * @return this
     */
    public DecoderMasks tgtKeyPaddingMask(Tensor mask) {
        tgtKeyPaddingMask = mask;
        return this;
    }

    /**
     * Of the encoder's output's keys, [n, s].
     *
     * @param mask
     *            null for none
     * @return this
     */
    public DecoderMasks memoryKeyPaddingMask(Tensor mask) {
        memoryKeyPaddingMask = mask;
        return this;
    }

    /**
     * Hint that the target's mask is, or is not, the causal one; without it a decoder looks.
     *
     * @param hint
     *            whether it is the causal one
     * @return this
     */
    public DecoderMasks tgtIsCausal(boolean hint) {
        tgtIsCausal = hint;
        return this;
    }

    /**
     * Hint that the mask of the encoder's output is the causal one.
     *
     * @param hint
     *            false by default
     * @return this
     */
    public DecoderMasks memoryIsCausal(boolean hint) {
        memoryIsCausal = hint;
        return this;
    }

    DecoderMasks hinted(boolean causal) {
        DecoderMasks made = new DecoderMasks();
        made.tgtMask = tgtMask;
        made.memoryMask = memoryMask;
        made.tgtKeyPaddingMask = tgtKeyPaddingMask;
        made.memoryKeyPaddingMask = memoryKeyPaddingMask;
        made.tgtIsCausal = causal;
        made.memoryIsCausal = memoryIsCausal;
        return made;
    }
}
