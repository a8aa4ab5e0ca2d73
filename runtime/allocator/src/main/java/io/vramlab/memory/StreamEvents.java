package io.vramlab.memory;

import io.vramlab.device.DeviceStreams;

/** What the allocator needs of a device's streams: marks in their queues, and waiting for them. */
public interface StreamEvents {

    /** Streams on which all work is done the moment it is given: replays. */
    StreamEvents IMMEDIATE = new StreamEvents() {

        @Override
        public long record(final long stream) {
            return 1;
        }

        @Override
        public boolean isComplete(final long event) {
            return true;
        }

        @Override
        public void await(final long event) {
            // complete by definition
        }

        @Override
        public void done(final long event) {
            // nothing is held
        }

        @Override
        public void synchronize(final long stream) {
            // complete by definition
        }
    };

    /**
     * Marks the point that the stream's queue has reached; the event must be given back with {@link #done}.
     *
     * @param stream
     *            handle of the stream; 0 is the default stream
     * @return the mark
     */
    long record(long stream);

    /**
     * {@return whether the work before the mark is done}
     *
     * @param event
     *            what {@link #record} gave
     */
    boolean isComplete(long event);

    /**
     * Waits until the work before the mark is done.
     *
     * @param event
     *            what {@link #record} gave
     */
    void await(long event);

    /**
     * Gives the event back for reuse.
     *
     * @param event
     *            what {@link #record} gave; means nothing afterwards
     */
    void done(long event);

    /**
     * Waits until all work given to the stream is done.
     *
     * @param stream
     *            handle of the stream; 0 is the default stream
     */
    void synchronize(long stream);

    /**
     * {@return where a stream stands when several are polled at once: lower ones first, equal ones in the order of
     * their first use} PyTorch's order hangs on its hash table, so no program can rely on it; a replay may have to
     * follow it.
     *
     * @param stream
     *            handle of the stream
     */
    default int pollingOrder(final long stream) {
        return 0;
    }

    /**
     * {@return the streams of a device, its events pooled}
     *
     * @param streams
     *            the device's
     */
    static StreamEvents of(final DeviceStreams streams) {
        return new PooledEvents(streams);
    }
}
