package io.vramlab.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Who may read and who may change what is installed. Nothing happens where files know no such thing. */
final class Permissions {

    private static final Set<PosixFilePermission> OTHERS_CHANGE = PosixFilePermissions.fromString("----w--w-");

    private Permissions() {
    }

    /** Nobody but its owner may look into a folder. */
    static void ownersOnly(Path folder) throws IOException {
        set(folder, PosixFilePermissions.fromString("rwx------"));
    }

    /** {@link #set} for a file, or a folder and all in it. */
    static void setAll(Path root, Audience audience) throws IOException {
        List<Path> all;
        try (Stream<Path> inside = Files.walk(root)) {
            all = inside.toList();
        }
        for (Path each : all) {
            set(each, audience);
        }
    }

    /** What a file or a folder needs for those for whom it is, whatever the umask under which it was made. */
    static void set(Path path, Audience audience) throws IOException {
        if (!posix(path)) {
            return;
        }
        if (audience == Audience.ALL) {
            set(path, PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
        } else {
            Set<PosixFilePermission> fewer = EnumSet.copyOf(Files.getPosixFilePermissions(path));
            if (fewer.removeAll(OTHERS_CHANGE)) {
                set(path, fewer);
            }
        }
    }

    private static void set(Path path, Set<PosixFilePermission> permissions) throws IOException {
        if (posix(path)) {
            Files.setPosixFilePermissions(path, permissions);
        }
    }

    private static boolean posix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
