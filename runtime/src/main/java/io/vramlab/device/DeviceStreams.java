package io.vramlab.device;

import java.lang.foreign.MemorySegment;

/**
 * Streams, events and copies of one device. Work given to one stream runs in order; work of different streams runs in
 * no order unless an event says so. A failure of earlier work may be thrown by any later call here, as on any GPU.
 */
public interface DeviceStreams {

    /** The default stream's handle. */
    long DEFAULT_STREAM = 0;

    /** Creates a stream that does not synchronise with the default stream by itself; never 0. */
    long createStream();

    /** Gives a stream back once its work is done. */
    void destroyStream(long stream);

    /** Waits until all work given to the stream is done. */
    void synchronizeStream(long stream);

    /** True when all work given to the stream is done. */
    boolean queryStream(long stream);

    /** Waits until all work given to the device is done. */
    void synchronize();

    /**
     * Creates an event; never 0.
     *
     * @param timing
     *            whether {@link #elapsedMillis} will be asked of it
     */
    long createEvent(boolean timing);

    /** Gives an event back. */
    void destroyEvent(long event);

    /** Marks the point that the stream's queue has reached now. */
    void recordEvent(long event, long stream);

    /** True when the work before the event's last record is done, and when it was never recorded. */
    boolean queryEvent(long event);

    /** Waits until the work before the event's last record is done. */
    void synchronizeEvent(long event);

    /** Makes later work of the stream wait for the event's last record. */
    void waitEvent(long stream, long event);

    /** Milliseconds between two recorded timing events that are both complete. */
    double elapsedMillis(long start, long end);

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

    /** Copies within the device on a stream. */
    void copyOnDevice(long destination, long source, long bytes, long stream);

    /** Sets bytes on a stream. */
    void fill(long destination, byte value, long bytes, long stream);
}
