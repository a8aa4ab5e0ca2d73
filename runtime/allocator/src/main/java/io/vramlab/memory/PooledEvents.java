package io.vramlab.memory;

import io.vramlab.device.DeviceStreams;
import java.util.Arrays;

/** Events of a device, kept for reuse because creating one costs more than recording one. */
final class PooledEvents implements StreamEvents {

    private final DeviceStreams streams;
    private long[] spare = new long[8];
    private int spareCount;

    PooledEvents(final DeviceStreams streams) {
        this.streams = streams;
    }

    @Override
    public long record(final long stream) {
        final long event = spareCount > 0 ? spare[--spareCount] : streams.createEvent(false);
        streams.recordEvent(event, stream);
        return event;
    }

    @Override
    public boolean isComplete(final long event) {
        return streams.queryEvent(event);
    }

    @Override
    public void await(final long event) {
        streams.synchronizeEvent(event);
    }

    @Override
    public void done(final long event) {
        if (spareCount == spare.length) {
            spare = Arrays.copyOf(spare, 2 * spareCount);
        }
        spare[spareCount++] = event;
    }

    @Override
    public void synchronize(final long stream) {
        streams.synchronizeStream(stream);
    }
}
