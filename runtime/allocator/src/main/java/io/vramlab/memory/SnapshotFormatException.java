package io.vramlab.memory;

import java.io.IOException;
import java.nio.file.Path;

/** A file is no memory snapshot; the message is one line. */
public final class SnapshotFormatException extends IOException {

    private static final long serialVersionUID = 1L;

    SnapshotFormatException(final Path file, final Exception cause) {
        super(file.getFileName() + " cannot be read as a memory snapshot: " + reason(cause)
                + ". Expected a pickle from torch.cuda.memory._dump_snapshot or from VramLab, or its JSON.", cause);
    }

    private static String reason(final Exception cause) {
        final String message = cause.getMessage() == null ? "it is damaged" : cause.getMessage();
        final String line = message.lines().findFirst().orElse("").strip();
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }
}
