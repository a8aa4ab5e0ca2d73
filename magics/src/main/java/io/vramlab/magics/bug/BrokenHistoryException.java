package io.vramlab.magics.bug;

/** A recorded history is damaged or was altered; the message is one line for the user. */
public final class BrokenHistoryException extends Exception {

    private static final long serialVersionUID = 1L;

    /** With what is wrong. */
    public BrokenHistoryException(String message) {
        super(message);
    }
}
