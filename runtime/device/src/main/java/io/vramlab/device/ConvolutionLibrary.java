package io.vramlab.device;

import java.util.function.LongConsumer;

/** A device's library of convolutions, which works in memory that it is given: as PyTorch gives cuDNN what it works in. */
public interface ConvolutionLibrary {

    /** Where working memory comes from. */
    interface WorkingMemory {

        /**
         * Takes so many bytes, hands out their address, and gives them back.
         *
         * @param bytes
         *            0 for none; then the address is 0
         * @throws RuntimeException
         *             if there is no memory for it; the library then tries what needs less
         */
        void with(long bytes, LongConsumer use);
    }

    /**
     * Computes it, asynchronously.
     *
     * @return false if the library cannot; then nothing was written
     */
    boolean compute(ConvolutionCall call, WorkingMemory memory, long stream);
}
