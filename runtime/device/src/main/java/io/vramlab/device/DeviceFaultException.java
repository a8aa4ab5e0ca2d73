package io.vramlab.device;

/**
 * Earlier work of a device failed; see {@link DeviceFault}. Thrown by the call that noticed, which is seldom the call
 * that was wrong.
 */
public final class DeviceFaultException extends DeviceException {

    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    private final DeviceFault fault;

    /**
     * With the three-part message.
     *
     * @param fault
     *            what went wrong
     * @param message
     *            begins with "CUDA error: " and the fault's text
     */
    public DeviceFaultException(DeviceFault fault, String message) {
        super(message);
        this.fault = fault;
    }

    /** {@return what went wrong} */
    public DeviceFault fault() {
        return fault;
    }
}
