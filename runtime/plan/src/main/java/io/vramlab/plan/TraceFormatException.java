package io.vramlab.plan;

import java.io.IOException;

/** A file that is no recording of a program, or a damaged one. */
public final class TraceFormatException extends IOException {

    private static final long serialVersionUID = 1L;

    TraceFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
