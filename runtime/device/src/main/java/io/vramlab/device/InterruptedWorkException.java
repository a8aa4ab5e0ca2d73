package io.vramlab.device;

/**
 * A computation was stopped because its thread was interrupted. What it was to write has no defined values; whoever holds
 * that memory still holds it. The thread's interrupt status stays set, as this is no checked exception.
 */
public final class InterruptedWorkException extends DeviceException {

    private static final long serialVersionUID = 1L;

    /** With the three-part message. */
    public InterruptedWorkException() {
        super("An operation on tensors was to be computed. Its thread was interrupted, so it was stopped: what it was to"
                + " write has no defined values. Run what makes those values again.");
    }
}
