package io.vramlab.install;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes files so that nobody ever sees a half of one, and so that what goes wrong names the file that was written. */
final class Writing {

    private Writing() {
    }

    /** Writes a file, or puts it in the place of what is there, at once. */
    static void atOnce(Path file, InputStream content, Audience audience) throws IOException {
        Path partial = file.resolveSibling("." + file.getFileName() + "." + ProcessHandle.current().pid() + ".partial");
        try {
            write(partial, content);
            Permissions.set(partial, audience);
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException refused) {
            throw failure(file, refused);
        } finally {
            Files.deleteIfExists(partial);
        }
    }

    /**
     * Writes a file.
     *
     * @throws FileSystemException naming that file; the JDK's own name the other side of a copy, or none
     */
    static void write(Path file, InputStream content) throws IOException {
        OutputStream out;
        try {
            out = Files.newOutputStream(file);
        } catch (FileSystemException refused) {
            throw failure(file, refused);
        }
        byte[] some = new byte[1 << 16];
        try (out) {
            for (int read = content.read(some); read >= 0; read = content.read(some)) {
                out.write(some, 0, read);
            }
        } catch (IOException full) {
            throw failure(file, full);
        }
    }

    private static FileSystemException failure(Path file, IOException cause) {
        FileSystemException failure = new FileSystemException(file.toString(), null,
                cause instanceof FileSystemException named ? reason(named) : cause.getMessage());
        failure.initCause(cause);
        return failure;
    }

    /** Why, in the system's words or the kind of error: {@code No space left on device}, {@code AccessDenied}. */
    static String reason(FileSystemException refused) {
        return refused.getReason() == null
                ? refused.getClass().getSimpleName().replace("Exception", "")
                : refused.getReason();
    }
}
