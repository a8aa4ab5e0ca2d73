package io.vramlab.plan;

import io.vramlab.device.DeviceProperties;

/**
 * What a program finds of a device.
 *
 * @param bytes
 *            for its allocator
 * @param outside
 *            bytes that CUDA's context and libraries hold; an out-of-memory message counts them in the device's capacity and as in use
 */
record DeviceRoom(long bytes, long outside) {

    /** More than any device has, for figures that no capacity bounds. */
    static final DeviceRoom ENDLESS = new DeviceRoom(1L << 42, 0);

    /** A device smaller than its context has room for nothing. */
    static DeviceRoom on(DeviceProperties device) {
        long outside = Math.min(Outside.context(device), device.totalBytes());
        return new DeviceRoom(device.totalBytes() - outside, outside);
    }

    boolean isEndless() {
        return equals(ENDLESS);
    }

    /** Bytes for an allocator that may reserve that part of the whole device. */
    long within(double fraction) {
        return fraction < 1 ? Math.min(bytes, (long) (fraction * (bytes + outside))) : bytes;
    }
}
