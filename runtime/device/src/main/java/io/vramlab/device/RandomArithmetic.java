package io.vramlab.device;

/** The part of {@link Kernels} that draws random numbers. The same seed and offset give the same ones on every device. */
public interface RandomArithmetic {

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
}
