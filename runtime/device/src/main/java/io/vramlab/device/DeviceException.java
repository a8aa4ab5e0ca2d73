package io.vramlab.device;

/** A device refused or failed a request; the message says what was asked, what is true, and what to do. */
public class DeviceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * With the three-part message.
     *
     * @param message
     *            what was asked, what is true, what to do
     */
    public DeviceException(String message) {
        super(message);
    }

    /**
     * With the three-part message and what led to it.
     *
     * @param message
     *            what was asked, what is true, what to do
     * @param cause
     *            what the device's library threw
     */
    public DeviceException(String message, Throwable cause) {
        super(message, cause);
    }
}
