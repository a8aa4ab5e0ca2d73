package io.vramlab.kernel.spi.option;

import java.nio.file.Path;

/**
 * The folder from which magics read the names of files, and in which shell commands run; {@code %cd} sets it. Java's own file
 * names begin at the folder in which the kernel was started: a JVM cannot change that.
 */
public final class Folder {

    private static final Path START = Path.of("").toAbsolutePath();
    private static volatile Path current = START;

    private Folder() {
    }

    /** Where magics and the shell are now; absolute. */
    public static Path current() {
        return current;
    }

    /** Where Java's own file names begin. */
    public static Path start() {
        return START;
    }

    /** Goes there; a name that is not absolute counts from the current folder. */
    public static void change(Path folder) {
        current = current.resolve(folder).normalize();
    }

    /** The file of a name, {@code ~/} being the user's folder; absolute. */
    public static Path resolve(String name) {
        boolean home = name.equals("~") || name.startsWith("~/");
        return current.resolve(home ? System.getProperty("user.home") + name.substring(1) : name);
    }
}
