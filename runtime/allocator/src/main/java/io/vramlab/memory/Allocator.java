package io.vramlab.memory;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Hands out device memory. Safe for use by several threads. Sizes in bytes; stream 0 is the default stream.
 */
public interface Allocator {

    /**
     * Allocates.
     *
     * @param bytes
     *            how many; 0 gives address 0 and leaves no trace
     * @param stream
     *            the stream whose work will use it first
     * @return the address
     * @throws OutOfMemoryException
     *             if the device has no room; nothing else has changed then, but cached memory was given back
     * @throws IllegalArgumentException
     *             if {@code bytes} is negative
     */
    long allocate(long bytes, long stream);

    /**
     * As {@link #allocate(long, long)}, for a caller who has walked the stack already.
     *
     * @param bytes
     *            how many; 0 gives address 0 and leaves no trace
     * @param stream
     *            the stream whose work will use it first
     * @param site
     *            the call site, see {@link CallSites}; 0 when it is not known
     * @return the address
     * @throws OutOfMemoryException
     *             if the device has no room; nothing else has changed then, but cached memory was given back
     * @throws IllegalArgumentException
     *             if {@code bytes} is negative
     */
    long allocate(long bytes, long stream, int site);

    /**
     * Gives memory back to the cache.
     *
     * @param address
     *            what {@link #allocate} returned; 0 is ignored
     * @throws IllegalArgumentException
     *             if no live allocation starts there
     */
    void free(long address);

    /**
     * Says that another stream uses the memory: it is reused only after that stream's work, as of the free, is done.
     * PyTorch's {@code Tensor.record_stream}.
     *
     * @param address
     *            what {@link #allocate} returned; 0, and one where no live allocation starts, is ignored
     * @param stream
     *            handle of the stream; the one that the memory was allocated for changes nothing
     */
    void recordStream(long address, long stream);

    /** Gives every cached segment that is wholly free back to the driver. */
    void emptyCache();

    /** {@return the 122 statistics now} */
    MemoryStats stats();

    /** Sets every peak to the current value. */
    void resetPeakMemoryStats();

    /** Sets every "allocated", "freed" and count to 0. */
    void resetAccumulatedMemoryStats();

    /**
     * Limits what may be reserved of the device.
     *
     * @param fraction
     *            of the device's memory, 0 to 1; 1 removes the limit
     * @throws IllegalArgumentException
     *             if it is outside that range
     */
    void setMemoryFraction(double fraction);

    /** {@return the limit as a share of the device's memory; 1 when there is none} */
    double memoryFraction();

    /**
     * Adds something to try before an allocation fails for good; it returns true when it freed something, and may call
     * {@link #free}. What was added before is not added again.
     *
     * @param release
     *            called without the allocator's lock, on the thread whose allocation failed
     */
    void onPressure(BooleanSupplier release);

    /** {@return all segments with their blocks, by address} */
    List<SegmentInfo> segments();

    /**
     * Adds a follower.
     *
     * @param listener
     *            hears of every event from now on; one that is added twice hears of it twice
     */
    void addListener(MemoryListener listener);

    /**
     * Removes a follower.
     *
     * @param listener
     *            as it was added; one that was not is ignored
     */
    void removeListener(MemoryListener listener);

    /**
     * Starts, changes or stops the history.
     *
     * @param options
     *            what to keep from now on; {@link HistoryOptions#OFF} stops it
     */
    void recordHistory(HistoryOptions options);

    /** {@return the history, oldest first; empty while it was never started} */
    List<TraceEntry> history();
}
