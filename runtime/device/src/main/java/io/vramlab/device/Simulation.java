package io.vramlab.device;

/**
 * What can be asked of a simulated device and of no real one. Obtained from {@link Device#simulation}.
 */
public interface Simulation {

    /**
     * Forgets a sticky fault, and the work that was waiting. Memory and its contents stay. A real GPU's process must be
     * restarted instead.
     */
    void reset();

    /**
     * Chooses when work behind a copy from or to pinned memory runs. False (the default): at once. True: such a copy, and
     * all later work of its stream, waits until somebody waits for the stream. On a real GPU the moment lies between the
     * two and differs from run to run; with true, a host that overwrites a pinned buffer too early corrupts the copy every
     * time.
     *
     * @param defer
     *            true to defer
     */
    void deferPinnedCopies(boolean defer);

    /**
     * Sets how much of the device is taken by what is not the allocator's: the CUDA context, libraries, other processes.
     *
     * @param bytes
     *            0 or more
     */
    void setOutsideBytes(long bytes);

    /** {@return how much of the device is taken by what is not the allocator's, in bytes} */
    long outsideBytes();
}
