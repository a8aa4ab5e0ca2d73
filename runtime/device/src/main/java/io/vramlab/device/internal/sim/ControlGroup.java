package io.vramlab.device.internal.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** What Linux lets the control group of this process have: of version 2, {@code memory.max}; of version 1, {@code memory.limit_in_bytes}. */
final class ControlGroup {

    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final Path OWN = Path.of("/proc/self/cgroup");

    private ControlGroup() {
    }

    /** The least limit in bytes of the group and of those that it lies in; empty without any, and on other systems. */
    static OptionalLong memoryLimit() {
        return memoryLimit(OWN, GROUPS);
    }

    static OptionalLong memoryLimit(Path own, Path groups) {
        long least = Long.MAX_VALUE;
        try {
            for (String line : Files.readAllLines(own)) {
                // hierarchy:controllers:path
                String[] parts = line.split(":", 3);
                boolean second = parts[1].isEmpty();
                if (second || parts[1].equals("memory")) {
                    Path root = second ? groups : groups.resolve("memory");
                    least = Math.min(least,
                            leastUpTo(root, parts[2], second ? "memory.max" : "memory.limit_in_bytes"));
                }
            }
        } catch (IOException | ArrayIndexOutOfBoundsException notLinux) {
            return OptionalLong.empty();
        }
        // version 1 writes "none" as the largest number of whole pages
        return least >= Long.MAX_VALUE / 2 ? OptionalLong.empty() : OptionalLong.of(least);
    }

    private static long leastUpTo(Path root, String path, String file) throws IOException {
        long least = Long.MAX_VALUE;
        for (Path group = root.resolve(path.substring(1)).normalize(); group.startsWith(root); group = group
                .getParent()) {
            // in a container the path may be the host's, and only the root is there
            if (Files.isReadable(group.resolve(file))) {
                String limit = Files.readString(group.resolve(file)).strip();
                least = Math.min(least, limit.matches("\\d{1,19}") ? parse(limit) : Long.MAX_VALUE);
            }
        }
        return least;
    }

    private static long parse(String digits) {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException tooLarge) {
            return Long.MAX_VALUE;
        }
    }
}
