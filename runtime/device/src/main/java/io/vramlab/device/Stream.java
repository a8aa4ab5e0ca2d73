package io.vramlab.device;

import java.util.HashMap;
import java.util.Map;

/**
 * A queue of work on one device, as torch.cuda.Stream. Each thread has a current stream per device, at first the default
 * one; what the runtime does goes there.
 */
public final class Stream {

    private static final ThreadLocal<Map<Device, Stream>> CURRENT = ThreadLocal.withInitial(HashMap::new);

    private final Device device;
    private final long handle;

    private Stream(Device device, long handle) {
        this.device = device;
        this.handle = handle;
    }

    /**
     * One of the device's 32 pooled streams, the next in turn.
     *
     * @param device
     *            where the queue is
     */
    public Stream(Device device) {
        this(device, device.streams().next());
    }

    /**
     * {@return the default stream}
     *
     * @param device
     *            where the queue is
     */
    public static Stream defaultStream(Device device) {
        return new Stream(device, DeviceStreams.DEFAULT_STREAM);
    }

    /**
     * {@return this thread's current stream of the device}
     *
     * @param device
     *            where the queue is
     */
    public static Stream current(Device device) {
        Stream s = CURRENT.get().get(device);
        return s == null ? defaultStream(device) : s;
    }

    /** A region of code in which a stream is current; closing it brings the one before back. */
    public interface Use extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * Makes this stream its device's current one on this thread: {@code try (var s = stream.use()) { … }}.
     *
     * @return what to close, on the same thread, to bring the stream before back
     */
    public Use use() {
        Stream before = CURRENT.get().put(device, this);
        return () -> {
            if (before == null) {
                CURRENT.get().remove(device); // the default stream again, and a thread keeps no device that it left
            } else {
                CURRENT.get().put(device, before);
            }
        };
    }

    /** {@return the device} */
    public Device device() {
        return device;
    }

    /** {@return the driver's handle; 0 for the default stream} */
    public long handle() {
        return handle;
    }

    /** Waits until all work given to the stream is done. */
    public void synchronize() {
        device.driver().synchronizeStream(handle);
    }

    /** {@return true when all work given to the stream is done} */
    public boolean query() {
        return device.driver().queryStream(handle);
    }

    /**
     * Makes later work of this stream wait for what the event marked.
     *
     * @param event
     *            recorded or not: one that was not is not waited for. An event of another device is waited for by the
     *            host
     */
    public void waitEvent(Event event) {
        event.makeWait(this);
    }

    /**
     * Makes later work of this stream wait for all work given to the other so far.
     *
     * @param other
     *            of the same device, or of another: then the host waits
     */
    public void waitStream(Stream other) {
        try (Event e = new Event(other.device)) {
            e.record(other);
            waitEvent(e);
        }
    }

    /** Same device and handle. */
    @Override
    public boolean equals(Object o) {
        return o instanceof Stream s && s.device == device && s.handle == handle;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(device) * 31 + Long.hashCode(handle);
    }

    /** Device and handle. */
    @Override
    public String toString() {
        return "Stream(" + device + ", " + handle + ")";
    }
}
