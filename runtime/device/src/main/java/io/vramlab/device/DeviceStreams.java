package io.vramlab.device;

/**
 * Streams and events of one device. Work given to one stream runs in order; work of different streams runs in
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
}
