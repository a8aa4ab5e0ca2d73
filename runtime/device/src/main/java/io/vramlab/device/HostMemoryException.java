package io.vramlab.device;

/**
 * The host refused memory that a simulated GPU wanted: not the GPU is full but the machine, or the part of it that this process may have.
 * Nothing else changes: what was allocated stays, and the device goes on.
 */
public final class HostMemoryException extends DeviceException {

    private static final long serialVersionUID = 1L;

    /**
     * With the three-part message.
     *
     * @param message
     *            how much was asked for, what the host has, what to do
     */
    public HostMemoryException(String message) {
        super(message);
    }
}
