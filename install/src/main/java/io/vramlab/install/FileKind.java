package io.vramlab.install;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** What a file is, of those that this command's subcommands read: by its first bytes, else by its name. */
enum FileKind {
    /** What {@code vramlab_trace.py} writes. */
    RECORDING("A recording by vramlab_trace.py: ", " plan "),
    /** A pickle, as PyTorch's snapshots are. */
    SNAPSHOT("A memory snapshot: ", " report "),
    /** A program in Python. */
    PROGRAM("A program, to be recorded first: ", ""),
    /** A notebook, which holds a history where it was saved with %bug_report on. */
    NOTEBOOK("A notebook that was saved with %bug_report on: ", " replay "),
    /** Text, in which an error may stand. */
    LOG("A log, or an error's text: ", " explain ");

    private static final int FIRST_BYTES = 32;
    private static final int GZIP = 0x1f;
    private static final int PICKLE = 0x80;
    private static final int NEWEST_PROTOCOL = 5;

    private final String what;
    private final String subcommand;

    FileKind(String what, String subcommand) {
        this.what = what;
        this.subcommand = subcommand;
    }

    /** What a file is; empty where nobody can tell. */
    static Optional<FileKind> of(Path file) {
        Optional<FileKind> found = Files.isRegularFile(file) ? byContent(file) : Optional.empty();
        return found.or(() -> byName(file.toString()));
    }

    /** What to type for a file, behind a sentence: " A memory snapshot: vramlab report x.pickle"; empty if it is not known. */
    static String otherwise(Path file) {
        return of(file).map(kind -> " " + kind.typed(file)).orElse("");
    }

    /** What to type for a file of this kind: "A memory snapshot: vramlab report x.pickle". */
    String typed(Path file) {
        return what + (this == PROGRAM ? StartedAs.recorder() + " " : StartedAs.command() + subcommand) + file;
    }

    private static Optional<FileKind> byName(String name) {
        return name.endsWith(".trace")
                ? Optional.of(RECORDING)
                : name.endsWith(".pickle") || name.endsWith(".pickle.gz")
                        ? Optional.of(SNAPSHOT)
                        : name.endsWith(".py")
                                ? Optional.of(PROGRAM)
                                : name.endsWith(".ipynb")
                                        ? Optional.of(NOTEBOOK)
                                        : name.endsWith(".log") || name.endsWith(".txt") || name.endsWith(".out")
                                                ? Optional.of(LOG)
                                                : Optional.empty();
    }

    private static Optional<FileKind> byContent(Path file) {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            in.mark(2);
            boolean packed = in.read() == GZIP;
            in.reset();
            byte[] first = (packed ? new GZIPInputStream(in) : in).readNBytes(FIRST_BYTES);
            if (first.length > 1 && Byte.toUnsignedInt(first[0]) == PICKLE && first[1] >= 2
                    && first[1] <= NEWEST_PROTOCOL) {
                return Optional.of(SNAPSHOT);
            }
            return packed && new String(first, StandardCharsets.UTF_8).startsWith("{\"vramlab_trace\"")
                    ? Optional.of(RECORDING)
                    : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
