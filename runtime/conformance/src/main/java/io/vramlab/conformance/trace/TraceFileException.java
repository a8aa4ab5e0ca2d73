package io.vramlab.conformance.trace;

import java.io.IOException;
import java.nio.file.Path;

/** A file is not a recorded allocator run; the message is one line. */
public final class TraceFileException extends IOException {

    private static final long serialVersionUID = 1L;

    TraceFileException(final Path file, final RuntimeException cause) {
        super(file.getFileName() + " is not a recorded allocator trace: " + reason(cause)
                + ". Expected the JSON that alloc_traces.py writes, gzip-compressed or not.", cause);
    }

    private static String reason(final RuntimeException cause) {
        final String message = cause.getMessage();
        if (message == null || cause instanceof NullPointerException) {
            return "a part is missing";
        }
        final String line = message.lines().findFirst().orElse("").strip();
        return line.length() > 160 ? line.substring(0, 160) + "..." : line;
    }
}
