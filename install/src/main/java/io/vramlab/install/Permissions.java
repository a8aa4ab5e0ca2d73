package io.vramlab.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/** Who may read and who may change what is installed. Nothing happens where files know no such thing. */
final class Permissions {

    private Permissions() {
    }

    /** Nobody but its owner may look into a folder. */
    static void ownersOnly(Path folder) throws IOException {
        set(folder, "rwx------");
    }

    /**
     * Whatever the creator's umask, all may read and nobody but the owner may change a file, or a folder and all in it: it is
     * code that runs as whoever starts the kernel.
     */
    static void ownerChanges(Path root) throws IOException {
        List<Path> all;
        try (Stream<Path> inside = Files.walk(root)) {
            all = inside.toList();
        }
        for (Path each : all) {
            set(each, Files.isDirectory(each) ? "rwxr-xr-x" : "rw-r--r--");
        }
    }

    private static void set(Path path, String permissions) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        }
    }
}
