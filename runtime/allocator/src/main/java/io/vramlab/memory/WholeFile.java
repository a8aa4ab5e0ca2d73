package io.vramlab.memory;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Writes a file as a whole or not at all: beside it first, then in its place. A symbolic link is not followed, since who
 * put it there decides where it leads: it is refused. What is no regular file, such as a device or a pipe, is written to.
 */
public final class WholeFile {

    private WholeFile() {
    }

    /** Writes what a file shall hold. */
    public interface Content {

        /**
         * Writes all of it; the caller closes the stream.
         *
         * @param out
         *            where it goes; buffered by the caller if at all
         * @throws IOException
         *             if it cannot be written; a regular file then stays what it was
         */
        void to(OutputStream out) throws IOException;
    }

    /**
     * Writes a text in UTF-8.
     *
     * @param file
     *            replaced if it is there
     * @param text
     *            all that it shall hold
     * @throws IOException
     *             if it cannot be written or is a symbolic link; then what was there before is there still
     */
    public static void write(final Path file, final String text) throws IOException {
        write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Writes the file, in place of one that is there.
     *
     * @param file
     *            replaced if it is there; a new file gets the process's permissions, a replaced one keeps its own
     * @param content
     *            writes all that it shall hold; called once
     * @throws FileSystemException
     *             if it is a symbolic link
     * @throws IOException
     *             if it cannot be written; then what was there before is there still
     */
    public static void write(final Path file, final Content content) throws IOException {
        if (Files.isSymbolicLink(file)) {
            throw new FileSystemException(file.toString(), null, "it is a symbolic link to "
                    + Files.readSymbolicLink(file) + ", and links are not followed; name what it leads to");
        }
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
                content.to(out);
            }
            return;
        }
        final Path beside = file.resolveSibling("." + UUID.randomUUID() + ".part");
        try {
            try (OutputStream out = Files.newOutputStream(beside, StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE)) {
                content.to(out);
            }
            if (Files.exists(file) && Files.getFileStore(file).supportsFileAttributeView("posix")) {
                Files.setPosixFilePermissions(beside, Files.getPosixFilePermissions(file));
            }
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
    }
}
