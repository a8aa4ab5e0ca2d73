package io.vramlab.device;

/**
 * How a device tells of a fault that it found late, and of every call after it: the same words on a real GPU and on a
 * simulated one.
 *
 * @param fault
 *            what happened
 * @param detail
 *            what the device knows of it
 * @param device
 *            the device's name
 * @param recovery
 *            what brings the device back, as the end of a sentence
 */
public record LateFault(DeviceFault fault, String detail, String device, String recovery) {

    /**
     * For the call that notices it.
     *
     * @param pending
     *            the operations that it may be of, see {@link PendingWork#text}
     * @return an exception that names the device, the pending operations, and what to do; the caller throws it
     */
    public DeviceFaultException first(String pending) {
        return new DeviceFaultException(fault, what() + "Work launched earlier on " + device
                + " failed; a GPU tells of it only when somebody waits."
                + (pending.isEmpty() ? "" : " Launched since the last good wait: " + pending + ".")
                + " From now on every call of this device fails the same way."
                + " Find the statement with Device.current().driver().setLaunchBlocking(true); to go on, " + recovery
                + ".");
    }

    /**
     * For a launch that waited for its own work, after every one before it was waited for and went well.
     *
     * @param launched
     *            the operation, with its line where it is known
     * @return an exception that names the operation and what to do; the caller throws it
     */
    public DeviceFaultException atLaunch(String launched) {
        return new DeviceFaultException(fault, what() + launched + " failed on " + device
                + ": launches wait for their work, and everything before it went well."
                + " From now on every call of this device fails the same way. To go on, " + recovery + ".");
    }

    /** {@return what to throw at the calls after that: one line} */
    public DeviceFaultException later() {
        return new DeviceFaultException(fault, what() + device + " is lost since then: every call fails. To go on, "
                + recovery + ".");
    }

    private String what() {
        return "CUDA error: " + fault.text() + " (" + detail + "). ";
    }
}
