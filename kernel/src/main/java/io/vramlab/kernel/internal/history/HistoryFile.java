package io.vramlab.kernel.internal.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The file; several kernels may write to it at a time. */
final class HistoryFile {

    /** What is read of it at most, its end; it is cut to this when it has grown to twice as much. */
    private static final int KEPT_BYTES = 8 << 20;
    private static final int TAIL_BYTES = 1 << 12;
    private static final int TAIL_GROWTH = 16;
    private static final Gson GSON = new Gson();

    private final Path file;

    HistoryFile(Path file) {
        this.file = file;
    }

    /** Makes the file if there is none, for its user's eyes only, and cuts one that has grown too long. */
    void prepare() throws IOException {
        if (!Files.isDirectory(file.getParent())) {
            Files.createDirectories(file.toAbsolutePath().getParent().getParent());
            Files.createDirectories(file.getParent(), ownersOnly("rwx------"));
        }
        if (!Files.exists(file)) {
            Files.createFile(file, ownersOnly("rw-------"));
        } else if (posix()) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
        try (FileChannel channel = FileChannel.open(file, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
                FileLock lock = channel.lock()) {
            if (lock.isValid() && channel.size() > 2L * KEPT_BYTES) {
                byte[] end = end(channel, channel.size(), KEPT_BYTES);
                channel.truncate(0);
                channel.write(ByteBuffer.wrap(end), 0);
            }
        }
    }

    private boolean posix() {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private FileAttribute<?>[] ownersOnly(String permissions) {
        return posix()
                ? new FileAttribute<?>[]{
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))}
                : new FileAttribute<?>[0];
    }

    /** Adds an entry at the end. */
    void append(Entry entry) throws IOException {
        byte[] line = (GSON.toJson(entry) + "\n").getBytes(UTF_8);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
                FileLock lock = channel.lock()) {
            if (lock.isValid()) {
                channel.write(ByteBuffer.wrap(line));
            }
        }
    }

    /** How long the file is, in bytes. */
    long size() throws IOException {
        return Files.size(file);
    }

    /** The number of the session that wrote last; 0 if there is none. */
    int lastSession() throws IOException {
        for (int bytes = TAIL_BYTES; true; bytes *= TAIL_GROWTH) {
            List<Entry> tail = entries(size(), bytes);
            if (!tail.isEmpty() || bytes >= Math.min(size(), KEPT_BYTES)) {
                return tail.isEmpty() ? 0 : tail.getLast().session();
            }
        }
    }

    /**
     * The last entries, oldest first; a line that is damaged is passed over.
     *
     * @param size
     *            where to end, in bytes: what was written behind it is not read
     */
    List<Entry> read(long size) throws IOException {
        return entries(size, KEPT_BYTES);
    }

    private List<Entry> entries(long size, int atMost) throws IOException {
        List<Entry> entries = new ArrayList<>();
        byte[] bytes;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            bytes = end(channel, Math.min(size, channel.size()), atMost);
        }
        for (String line : new String(bytes, UTF_8).split("\n")) {
            try {
                Entry entry = GSON.fromJson(line, Entry.class);
                if (entry != null && entry.input() != null) {
                    entries.add(entry);
                }
            } catch (JsonParseException e) {
                // half a line: a kernel was killed while it wrote
                continue;
            }
        }
        return entries;
    }

    private static byte[] end(FileChannel channel, long size, int atMost) throws IOException {
        long from = Math.max(0, size - atMost);
        ByteBuffer buffer = ByteBuffer.allocate((int) (size - from));
        while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) >= 0) {
            continue;
        }
        byte[] bytes = new byte[buffer.flip().remaining()];
        buffer.get(bytes);
        int skip = 0;
        while (from > 0 && skip < bytes.length && bytes[skip] != '\n') {
            skip++;
        }
        return Arrays.copyOfRange(bytes, Math.min(bytes.length, from > 0 ? skip + 1 : 0), bytes.length);
    }
}
