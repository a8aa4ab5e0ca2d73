package io.vramlab.device;

import java.lang.foreign.MemorySegment;

/**
 * Copies between the host and one device, and the page-locked host memory that lets them be asynchronous. A failure of
 * earlier work may be thrown by any later call here, as on any GPU.
 */
public interface DeviceCopies {

    /**
     * Allocates page-locked host memory: copies to and from it are asynchronous.
     *
     * @return a segment of exactly {@code bytes} bytes, valid until {@link #freePinned}
     */
    MemorySegment allocatePinned(long bytes);

    /** Frees what {@link #allocatePinned} returned. */
    void freePinned(MemorySegment pinned);

    /**
     * Copies host memory to the device on a stream. Returns before the copy is done only when the source is pinned;
     * the caller must then leave the source alone until the stream has passed.
     */
    void copyToDevice(long destination, MemorySegment source, long stream);

    /** Copies device memory to the host on a stream; see {@link #copyToDevice} for when it returns. */
    void copyToHost(MemorySegment destination, long source, long stream);

    /** Whether values that were written can be read back: not so on a device that has shapes only. */
    default boolean holdsValues() {
        return true;
    }

    /** Copies within the device on a stream. */
    void copyOnDevice(long destination, long source, long bytes, long stream);

    /** Sets bytes on a stream. */
    void fill(long destination, byte value, long bytes, long stream);
}
