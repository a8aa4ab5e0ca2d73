package io.vramlab.device.internal.cuda;

import io.vramlab.device.DeviceException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUcontext;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;

/** JCuda's handles by their numbers, and the numbers of handles. */
final class Handles {

    /** A stream whose number can be read. */
    static final class StreamHandle extends CUstream {
        long value() {
            return getNativePointer();
        }
    }

    /** An event whose number can be read. */
    static final class EventHandle extends CUevent {
        private final boolean timing;
        private volatile boolean recorded;

        EventHandle(boolean timing) {
            this.timing = timing;
        }

        long value() {
            return getNativePointer();
        }

        boolean isTiming() {
            return timing;
        }

        boolean isRecorded() {
            return recorded;
        }

        void setRecorded() {
            recorded = true;
        }
    }

    /** A context whose number can be read. */
    static final class ContextHandle extends CUcontext {
        long value() {
            return getNativePointer();
        }
    }

    private final String device;
    private final Map<Long, StreamHandle> streams = new ConcurrentHashMap<>();
    private final Map<Long, EventHandle> events = new ConcurrentHashMap<>();

    Handles(String device) {
        this.device = device;
        streams.put(0L, new StreamHandle());
    }

    long add(StreamHandle s) {
        streams.put(s.value(), s);
        return s.value();
    }

    long add(EventHandle e) {
        events.put(e.value(), e);
        return e.value();
    }

    StreamHandle stream(long handle) {
        return found(streams.get(handle), "Stream", handle);
    }

    EventHandle event(long handle) {
        return found(events.get(handle), "Event", handle);
    }

    void removeStream(long handle) {
        streams.remove(handle);
    }

    void removeEvent(long handle) {
        events.remove(handle);
    }

    private <T> T found(T t, String what, long handle) {
        if (t == null) {
            throw new DeviceException(String.format(Locale.ROOT,
                    "%s 0x%x of %s was used; there is none, or it was destroyed. Create it first.", what, handle,
                    device));
        }
        return t;
    }
}
