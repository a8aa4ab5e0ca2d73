package io.vramlab.memory;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file is no memory snapshot; the message is one line. */
public final class SnapshotFormatException extends IOException {

    private static final long serialVersionUID = 1L;
    /** How readers end what they tell of a file that ends too early. */
    private static final String CUT_OFF = "it was cut off";

    SnapshotFormatException(final Path file, final Exception cause) {
        super(file.getFileName() + " cannot be read as a memory snapshot: " + reason(file, cause)
                + ". Expected a pickle from torch.cuda.memory._dump_snapshot or from VramLab, or its JSON.", cause);
    }

    /** Whether it is the beginning of a file: of a copy that did not end, or of a program that did not finish writing. */
    public boolean isCutOff() {
        return getMessage().contains(CUT_OFF + ".");
    }

    private static String reason(final Path file, final Exception cause) {
        final byte[] start = start(file);
        if (start.length == 0) {
            return "it is empty";
        }
        if (start.length == 2 && start[0] == 'P' && start[1] == 'K') {
            return "it is a zip archive, as torch.save writes models; a snapshot that was zipped has to be unpacked first";
        }
        if (cause instanceof EOFException) {
            return "it ends in the middle: " + CUT_OFF;
        }
        final String message = cause.getMessage() == null ? "it is damaged" : cause.getMessage();
        final String line = message.lines().findFirst().orElse("").strip();
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }

    /** Two bytes, or all of a shorter file. */
    private static byte[] start(final Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(2);
        } catch (final IOException gone) {
            return new byte[1];
        }
    }
}
