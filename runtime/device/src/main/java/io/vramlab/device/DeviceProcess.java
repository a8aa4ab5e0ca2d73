package io.vramlab.device;

/**
 * A process that holds memory of a device.
 *
 * @param pid
 *            its id, as the driver knows it: inside a container it may be another than the one seen there
 * @param own
 *            whether it is this one
 * @param bytes
 *            what it holds, its context and libraries included
 */
public record DeviceProcess(long pid, boolean own, long bytes) {
}
