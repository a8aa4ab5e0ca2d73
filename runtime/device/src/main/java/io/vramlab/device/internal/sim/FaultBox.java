package io.vramlab.device.internal.sim;

import io.vramlab.device.DeviceFault;
import io.vramlab.device.LateFault;
import io.vramlab.device.PendingWork;

/**
 * The first fault of a device, kept until a call notices it, and thrown by every call from then on. Safe for use by
 * several threads.
 */
final class FaultBox {

    private static final String RECOVERY = "Device.current().simulation().get().reset() or %device reset"
            + " (a real GPU: restart the kernel)";

    private final String device;
    private final PendingWork pending = new PendingWork();
    private LateFault fault;
    private boolean told;

    FaultBox(String device) {
        this.device = device;
    }

    /** What the device was given since the last good wait. */
    PendingWork pending() {
        return pending;
    }

    /**
     * Keeps the fault if it is the first.
     *
     * @param line
     *            the user's line that launched the operation; may be empty
     */
    synchronized void raise(DeviceFault what, String found, String operation, String line) {
        if (fault == null) {
            String where = operation.isEmpty() ? "" : ", in " + operation + (line.isEmpty() ? "" : " at " + line);
            fault = new LateFault(what, found + where, device, RECOVERY);
        }
    }

    /** For calls that wait for work: throws if anything went wrong so far. */
    synchronized void checkDone() {
        if (fault != null) {
            boolean first = !told;
            told = true;
            throw first ? fault.first(pending.text()) : fault.later();
        }
    }

    /** For a launch that waited for its own work: throws if anything went wrong, of that work unless other work was open. */
    synchronized void checkLaunched() {
        if (fault != null && !told && pending.size() == 1) {
            told = true;
            throw fault.atLaunch(pending.text());
        }
        checkDone();
    }

    /** For calls that do not wait: throws only what a waiting call has already told. */
    synchronized void checkTold() {
        if (told) {
            throw fault.later();
        }
    }

    synchronized boolean isRaised() {
        return fault != null;
    }

    synchronized void clear() {
        fault = null;
        told = false;
        pending.done(pending.mark());
    }
}
