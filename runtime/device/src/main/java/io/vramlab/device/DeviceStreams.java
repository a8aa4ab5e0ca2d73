package io.vramlab.device;

/**
 * Streams and events of one device. Work given to one stream runs in order; work of different streams runs in
 * no order unless an event says so. A failure of earlier work may be thrown by any later call here, as on any GPU.
 */
public interface DeviceStreams {

    /** The default stream's handle. */
    long DEFAULT_STREAM = 0;

    /** {@return the handle of a new stream, which does not synchronise with the default stream by itself; never 0} */
    long createStream();

    /**
     * Gives a stream back once its work is done.
     *
     * @param stream
     *            what {@link #createStream} returned
     */
    void destroyStream(long stream);

    /**
     * Waits until all work given to the stream is done.
     *
     * @param stream
     *            its handle; 0 is the default stream
     */
    void synchronizeStream(long stream);

    /**
     * {@return true when all work given to the stream is done}
     *
     * @param stream
     *            its handle; 0 is the default stream
     */
    boolean queryStream(long stream);

    /** Waits until all work given to the device is done. */
    void synchronize();

    /**
     * Creates an event; never 0.
     *
     * @param timing
     *            whether {@link #elapsedMillis} will be asked of it
     * @return its handle
     */
    long createEvent(boolean timing);

    /**
     * Gives an event back.
     *
     * @param event
     *            what {@link #createEvent} returned
     */
    void destroyEvent(long event);

    /**
     * Marks the point that the stream's queue has reached now.
     *
     * @param event
     *            what {@link #createEvent} returned; an earlier mark is forgotten
     * @param stream
     *            handle of the stream; 0 is the default stream
     */
    void recordEvent(long event, long stream);

    /**
     * {@return true when the work before the event's last record is done, and when it was never recorded}
     *
     * @param event
     *            what {@link #createEvent} returned
     */
    boolean queryEvent(long event);

    /**
     * Waits until the work before the event's last record is done.
     *
     * @param event
     *            what {@link #createEvent} returned; one that was never recorded is not waited for
     */
    void synchronizeEvent(long event);

    /**
     * Makes later work of the stream wait for the event's last record.
     *
     * @param stream
     *            handle of the stream that waits; the host does not
     * @param event
     *            what {@link #createEvent} returned; one that was never recorded is not waited for
     */
    void waitEvent(long stream, long event);

    /**
     * {@return milliseconds between two recorded timing events that are both complete}
     *
     * @param start
     *            the earlier event, made for timing
     * @param end
     *            the later event, made for timing
     */
    double elapsedMillis(long start, long end);
}
