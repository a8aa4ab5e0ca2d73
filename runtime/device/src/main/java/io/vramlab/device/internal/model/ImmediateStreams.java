package io.vramlab.device.internal.model;

import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceStreams;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Streams and events of a device whose work is done when its call returns: only their handles and times are kept. Safe
 * for use by several threads.
 */
public final class ImmediateStreams implements DeviceStreams {

    private record Record(boolean timing, long nanos) {
    }

    private final String device;
    private final Set<Long> streams = new HashSet<>(Set.of(0L));
    private final Map<Long, Record> events = new HashMap<>();
    private long lastHandle;

    /**
     * The default stream alone.
     *
     * @param device
     *            what errors call it
     */
    public ImmediateStreams(String device) {
        this.device = device;
    }

    @Override
    public synchronized long createStream() {
        streams.add(++lastHandle);
        return lastHandle;
    }

    @Override
    public synchronized void destroyStream(long stream) {
        requireStream(stream);
        if (stream == 0) {
            throw new DeviceException("The default stream of " + device
                    + " was to be destroyed; it lives as long as the device. Destroy only streams you created.");
        }
        streams.remove(stream);
    }

    /** Throws unless the stream exists. */
    public synchronized void requireStream(long stream) {
        if (!streams.contains(stream)) {
            throw unknown("Stream", stream);
        }
    }

    @Override
    public synchronized long createEvent(boolean timing) {
        events.put(++lastHandle, new Record(timing, -1));
        return lastHandle;
    }

    @Override
    public synchronized void destroyEvent(long event) {
        requireEvent(event);
        events.remove(event);
    }

    @Override
    public synchronized void recordEvent(long event, long stream) {
        requireStream(stream);
        requireEvent(event);
        events.put(event, new Record(events.get(event).timing(), System.nanoTime()));
    }

    /** Throws unless the event exists. */
    public synchronized void requireEvent(long event) {
        if (!events.containsKey(event)) {
            throw unknown("Event", event);
        }
    }

    @Override
    public synchronized double elapsedMillis(long start, long end) {
        requireEvent(start);
        requireEvent(end);
        Record a = events.get(start);
        Record b = events.get(end);
        if (!a.timing() || !b.timing() || a.nanos() < 0 || b.nanos() < 0) {
            throw new DeviceException("The time between two events of " + device
                    + " was asked for; one has no timing or was not recorded. Create both with timing and record both.");
        }
        return (b.nanos() - a.nanos()) / 1e6;
    }

    @Override
    public void synchronizeStream(long stream) {
        requireStream(stream);
    }

    @Override
    public boolean queryStream(long stream) {
        requireStream(stream);
        return true;
    }

    @Override
    public void synchronize() {
        // work is done when its call returns
    }

    @Override
    public boolean queryEvent(long event) {
        requireEvent(event);
        return true;
    }

    @Override
    public void synchronizeEvent(long event) {
        requireEvent(event);
    }

    @Override
    public void waitEvent(long stream, long event) {
        requireStream(stream);
        requireEvent(event);
    }

    private DeviceException unknown(String what, long handle) {
        return new DeviceException(String.format(Locale.ROOT,
                "%s %d of %s was used; there is none, or it was destroyed. Create it first.", what, handle, device));
    }
}
