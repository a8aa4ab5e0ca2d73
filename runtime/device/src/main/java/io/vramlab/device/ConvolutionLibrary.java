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
         * @param use
         *            is called with the address while the memory is there
         * @throws RuntimeException
         *             if there is no memory for it; the library then tries what needs less
         */
        void with(long bytes, LongConsumer use);
    }

    /**
     * Computes it, asynchronously.
     *
     * @param call
     *            the product and its operands; the operand that is written need not be zeroed
     * @param memory
     *            where the library's working memory comes from, for the time of the call
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     * @return false if the library cannot; then nothing was written
     */
    boolean compute(ConvolutionCall call, WorkingMemory memory, long stream);
}
