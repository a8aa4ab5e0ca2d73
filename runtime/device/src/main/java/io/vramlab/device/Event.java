package io.vramlab.device;

/** A mark in a stream's queue, as torch.cuda.Event. The device's own event is made at the first {@link #record}. */
public final class Event implements AutoCloseable {

    private final Device device;
    private final boolean timing;
    private long handle;

    /**
     * Without timing.
     *
     * @param device
     *            whose streams it will be recorded on
     */
    public Event(Device device) {
        this(device, false);
    }

    /**
     * An event that was not recorded yet.
     *
     * @param device
     *            whose streams it will be recorded on
     * @param timing
     *            whether {@link #elapsedTime} will be asked of it
     */
    public Event(Device device, boolean timing) {
        this.device = device;
        this.timing = timing;
    }

    /** Marks what the device's current stream has reached. */
    public void record() {
        record(Stream.current(device));
    }

    /**
     * Marks what a stream has reached.
     *
     * @param stream
     *            one of the event's device
     * @throws DeviceException
     *             if the stream is another device's
     */
    public void record(Stream stream) {
        if (stream.device() != device) {
            throw new DeviceException("An event of " + device + " was to be recorded on " + stream
                    + "; an event belongs to one device. Make one for " + stream.device() + ".");
        }
        if (handle == 0) {
            handle = device.driver().createEvent(timing);
        }
        device.driver().recordEvent(handle, stream.handle());
    }

    /** {@return true when the work before the mark is done, and when there is no mark yet} */
    public boolean query() {
        return handle == 0 || device.driver().queryEvent(handle);
    }

    /** Waits until the work before the mark is done. */
    public void synchronize() {
        if (handle != 0) {
            device.driver().synchronizeEvent(handle);
        }
    }

    /**
     * Milliseconds from this event's mark to another's.
     *
     * @param end
     *            the later event; both must be made for timing, recorded and complete
     * @return milliseconds of the device's clock, with fractions
     * @throws DeviceException
     *             if one of the two was made without timing or never recorded
     */
    public double elapsedTime(Event end) {
        if (!timing || !end.timing || handle == 0 || end.handle == 0) {
            throw new DeviceException("The time between two events was asked for; "
                    + (timing && end.timing
                            ? "one of them was never recorded."
                            : "one of them was made without timing.")
                    + " Make both with new Event(device, true), record both, and synchronize the second.");
        }
        return device.driver().elapsedMillis(handle, end.handle);
    }

    void makeWait(Stream stream) {
        if (handle == 0) {
            return;
        }
        if (stream.device() == device) {
            device.driver().waitEvent(stream.handle(), handle);
        } else {
            // a handle means nothing to another device's driver: let the host wait instead
            synchronize();
        }
    }

    /** Gives the device's event back. */
    @Override
    public void close() {
        if (handle != 0) {
            device.driver().destroyEvent(handle);
            handle = 0;
        }
    }
}
