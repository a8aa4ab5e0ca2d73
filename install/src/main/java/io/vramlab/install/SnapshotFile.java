package io.vramlab.install;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import io.vramlab.magics.text.FileTrouble;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.SnapshotFormatException;

/** The snapshot that a command was given: a file, or standard input for -. */
final class SnapshotFile {

    private static final Path STANDARD_INPUT = Path.of("-");

    /** Reads a snapshot from a file. */
    private interface Reader {
        MemorySnapshot read(Path file) throws IOException;
    }

    private SnapshotFile() {
    }

    static boolean isStandardInput(Path file) {
        return file.equals(STANDARD_INPUT);
    }

    /** All of it. */
    static MemorySnapshot read(Path file) {
        return read(file, MemorySnapshot::read);
    }

    /** For its history alone, which may be larger. */
    static MemorySnapshot readHistory(Path file) {
        return read(file, MemorySnapshot::readHistory);
    }

    private static MemorySnapshot read(Path file, Reader reader) {
        try {
            return isStandardInput(file) ? fromStandardInput(reader) : reader.read(file);
        } catch (IOException unreadable) {
            throw new CommandFailure(
                    isStandardInput(file)
                            ? "A snapshot was to be read from standard input."
                            : "The snapshot " + file + " was to be read.",
                    FileTrouble.why(file, unreadable),
                    unreadable instanceof SnapshotFormatException told && told.isCutOff()
                            ? "Copy it again as a whole, or dump it again: a full disk, or a process that ended while it wrote, leaves"
                                    + " such a file."
                            : "Name a file that torch.cuda.memory._dump_snapshot or %memory_snapshot wrote, gzip-compressed or not."
                                    + FileKind.of(file).filter(kind -> kind != FileKind.SNAPSHOT)
                                            .map(kind -> " " + kind.typed(file)).orElse(""));
        }
    }

    /** Readers look at a file's beginning first, and may be read twice. */
    private static MemorySnapshot fromStandardInput(Reader reader) throws IOException {
        Path kept = Files.createTempFile("vramlab-", ".pickle");
        try (InputStream in = System.in) {
            Files.copy(in, kept, StandardCopyOption.REPLACE_EXISTING);
            return reader.read(kept);
        } finally {
            Files.deleteIfExists(kept);
        }
    }
}
