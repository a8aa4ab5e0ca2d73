package io.vramlab.memory.internal.pickle;

import java.io.IOException;

/** A pickle is damaged, or holds more than data; the message is one line. */
public final class PickleFormatException extends IOException {

    private static final long serialVersionUID = 1L;

    /** With the line. */
    public PickleFormatException(final String message) {
        super(message);
    }
}
