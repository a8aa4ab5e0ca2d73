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

    /** A device smaller than its context has room for nothing. */
    static DeviceRoom on(DeviceProperties device) {
        long outside = Math.min(Outside.context(device), device.totalBytes());
        return new DeviceRoom(device.totalBytes() - outside, outside);
    }
}
