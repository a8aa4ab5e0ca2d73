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
     * @param bytes
     *            size in bytes
     * @return a segment of exactly {@code bytes} bytes, valid until {@link #freePinned}
     * @throws DeviceException
     *             if the host has no memory to lock
     */
    MemorySegment allocatePinned(long bytes);

    /**
     * Frees what {@link #allocatePinned} returned.
     *
     * @param pinned
     *            the segment itself, no slice of it
     */
    void freePinned(MemorySegment pinned);

    /**
     * Copies host memory to the device on a stream. Returns before the copy is done only when the source is pinned;
     * the caller must then leave the source alone until the stream has passed.
     *
     * @param destination
     *            device address of the first byte
     * @param source
     *            host memory, pinned or not; all of it is copied
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void copyToDevice(long destination, MemorySegment source, long stream);

    /**
     * Copies device memory to the host on a stream; see {@link #copyToDevice} for when it returns.
     *
     * @param destination
     *            host memory, pinned or not; as many bytes as it has are copied
     * @param source
     *            device address of the first byte
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void copyToHost(MemorySegment destination, long source, long stream);

    /** {@return whether values that were written can be read back: not so on a device that has shapes only} */
    default boolean holdsValues() {
        return true;
    }

    /**
     * Copies within the device on a stream.
     *
     * @param destination
     *            device address of the first byte that is written
     * @param source
     *            device address of the first byte that is read
     * @param bytes
     *            length in bytes
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void copyOnDevice(long destination, long source, long bytes, long stream);

    /**
     * Sets bytes on a stream.
     *
     * @param destination
     *            device address of the first byte
     * @param value
     *            what every byte becomes
     * @param bytes
     *            length in bytes
     * @param stream
     *            handle of the stream that runs it, see {@link DeviceStreams}; 0 is the default stream
     */
    void fill(long destination, byte value, long bytes, long stream);
}
