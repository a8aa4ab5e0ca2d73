package io.vramlab.conformance;

import java.io.IOException;

/** A file is not the recording it should be; the message is one line. */
public final class RecordingFormatException extends IOException {

    private static final long serialVersionUID = 1L;

    RecordingFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
