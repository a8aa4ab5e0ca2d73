package io.vramlab.device.sim;

import io.vramlab.device.DeviceFault;
import io.vramlab.device.DeviceFaultException;

/**
 * The first fault of a device, kept until a call notices it, and thrown by every call from then on. Safe for use by
 * several threads.
 */
final class FaultBox {

    private final String device;
    private DeviceFault fault;
    private String detail;
    private boolean told;

    FaultBox(String device) {
        this.device = device;
    }

    /** Keeps the fault if it is the first. */
    synchronized void raise(DeviceFault what, String found, String operation) {
        if (fault == null) {
            fault = what;
            detail = operation.isEmpty() ? found : found + ", in " + operation + UserLine.current();
        }
    }

    /** For calls that wait for work: throws if anything went wrong so far. */
    synchronized void checkDone() {
        if (fault != null) {
            boolean first = !told;
            told = true;
            throw exception(first);
        }
    }

    /** For calls that do not wait: throws only what a waiting call has already told. */
    synchronized void checkTold() {
        if (told) {
            throw exception(false);
        }
    }

    synchronized boolean isRaised() {
        return fault != null;
    }

    synchronized void clear() {
        fault = null;
        detail = null;
        told = false;
    }

    private DeviceFaultException exception(boolean first) {
        String what = "CUDA error: " + fault.text() + " (" + detail + "). ";
        String message = first
                ? what + "Work launched earlier on " + device
                        + " failed; a GPU tells of it only when somebody waits. From now on every call of this device"
                        + " fails the same way. Find the statement with Device.current().driver().setLaunchBlocking(true);"
                        + " go on with Device.current().simulation().get().reset() (a real GPU: restart the kernel)."
                : what + device + " is lost since then: every call fails. Reset the simulated device, or restart the"
                        + " kernel.";
        return new DeviceFaultException(fault, message);
    }
}
