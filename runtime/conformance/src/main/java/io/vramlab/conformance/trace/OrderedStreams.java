package io.vramlab.conformance.trace;

import io.vramlab.memory.StreamEvents;

/** Streams on which all work is done at once, polled in a given order. */
final class OrderedStreams implements StreamEvents {

    private final long[] handles;
    private final int[] order;

    /**
     * For one replay.
     *
     * @param handles
     *            the streams' handles
     * @param order
     *            where each stands when polled
     */
    OrderedStreams(final long[] handles, final int[] order) {
        this.handles = handles;
        this.order = order;
    }

    @Override
    public int pollingOrder(final long stream) {
        for (int i = 0; i < handles.length; i++) {
            if (handles[i] == stream) {
                return order[i];
            }
        }
        return order.length;
    }

    @Override
    public long record(final long stream) {
        return IMMEDIATE.record(stream);
    }

    @Override
    public boolean isComplete(final long event) {
        return IMMEDIATE.isComplete(event);
    }

    @Override
    public void await(final long event) {
        IMMEDIATE.await(event);
    }

    @Override
    public void done(final long event) {
        IMMEDIATE.done(event);
    }

    @Override
    public void synchronize(final long stream) {
        IMMEDIATE.synchronize(stream);
    }
}
