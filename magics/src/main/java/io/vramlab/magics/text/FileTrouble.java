package io.vramlab.magics.text;

import io.vramlab.memory.SnapshotFormatException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Why a file could not be read or written, in words for somebody who knows no Java. */
public final class FileTrouble {

    private FileTrouble() {
    }

    /** {@return the second of an error's three parts: what is true, as a sentence} */
    public static String why(Path file, IOException refused) {
        if (Files.isDirectory(file)) {
            return "That is a folder.";
        }
        return switch (refused) {
            case SnapshotFormatException told -> sentence(told.getMessage());
            case NoSuchFileException missing -> missing.getFile() == null || Path.of(missing.getFile()).equals(file)
                    && folder(file) == null
                            ? "There is no such file."
                            : folder(file) == null ? "There is no file " + missing.getFile() + "." : folder(file);
            case AccessDeniedException denied -> "That is not permitted.";
            case FileSystemException other when other.getReason() != null ->
                sentence("That failed: " + other.getReason());
            default -> sentence("That failed: " + (refused.getMessage() == null
                    ? refused.getClass().getSimpleName()
                    : refused.getMessage()));
        };
    }

    /** {@return the same behind a colon: it begins small} */
    public static String clause(Path file, IOException refused) {
        String why = why(file, refused);
        return Character.toLowerCase(why.charAt(0)) + why.substring(1);
    }

    /** Where not even the folder is there. */
    private static String folder(Path file) {
        Path folder = file.toAbsolutePath().normalize().getParent();
        return folder == null || Files.isDirectory(folder) ? null : "There is no folder " + folder + ".";
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }
}
