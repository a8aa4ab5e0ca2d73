package io.vramlab.device;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Something that every device has one of and that is not the device's own business: its allocator, its generator of
 * random numbers. It is made at its first use, the device owns it, and it goes with the device; nothing else in the
 * process keeps either.
 *
 * @param <T>
 *            what each device has
 */
public final class DevicePart<T> {

    private static final AtomicInteger KINDS = new AtomicInteger();

    private final int kind = KINDS.getAndIncrement();
    private final Function<Device, T> maker;
    /** Who has one, for what concerns all of them; keeps no device. */
    private final Set<Device> owners = Collections.newSetFromMap(new WeakHashMap<>());

    /**
     * A kind of thing.
     *
     * @param maker
     *            makes a device's own, once; it may ask for other parts of the device
     */
    public DevicePart(Function<Device, T> maker) {
        this.maker = maker;
    }

    /**
     * The device's own, made by the first call.
     *
     * @param device
     *            its owner
     * @return never null
     */
    public T of(Device device) {
        T part = made(device);
        return part == null ? make(device) : part;
    }

    /**
     * The device's own, if it has one by now.
     *
     * @param device
     *            its owner
     * @return null before the first {@link #of}
     */
    @SuppressWarnings("unchecked")
    public T made(Device device) {
        Object[] parts = device.parts;
        return kind < parts.length ? (T) parts[kind] : null;
    }

    private T make(Device device) {
        synchronized (device.partsLock) {
            T part = made(device);
            if (part == null) {
                part = maker.apply(device);
                device.parts = with(device.parts, part);
                synchronized (owners) {
                    owners.add(device);
                }
            }
            return part;
        }
    }

    /** A copy, because readers take no lock. */
    private Object[] with(Object[] parts, Object part) {
        Object[] more = Arrays.copyOf(parts, Math.max(parts.length, kind + 1));
        more[kind] = part;
        return more;
    }

    /**
     * What was made so far, of the devices that somebody still knows.
     *
     * @return a list of its own, in no order
     */
    public List<T> all() {
        List<Device> devices;
        synchronized (owners) {
            devices = new ArrayList<>(owners);
        }
        return devices.stream().map(this::made).toList();
    }
}
