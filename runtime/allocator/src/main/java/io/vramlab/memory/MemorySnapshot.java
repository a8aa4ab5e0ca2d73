package io.vramlab.memory;

import io.vramlab.memory.internal.pickle.PickleFormatException;
import io.vramlab.memory.internal.pickle.PickleReader;
import io.vramlab.memory.internal.pickle.PickleWriter;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/**
 * Segments, blocks and history of all GPUs at one moment, as {@code torch.cuda.memory._snapshot()} gives them: taken
 * here, or read from a file that PyTorch or VramLab wrote. Files open in PyTorch's memory_viz page.
 */
public final class MemorySnapshot {

    private static final String NO_DICTIONARY = "it holds no dictionary of segments and device_traces (torch.cuda.memory_snapshot()"
            + " returns segments alone: dump what torch.cuda.memory._snapshot() returns)";
    private static final int GZIP_BUFFER = 1 << 16;

    private final Map<String, Object> data;

    private MemorySnapshot(final Map<String, Object> data) {
        this.data = data;
    }

    /**
     * The state of some allocators, by their devices' indices; each history gets an entry that it was taken.
     *
     * @param allocators
     *            by the indices of their devices
     * @return the state of each, taken under its lock
     */
    public static MemorySnapshot of(final Map<Integer, CachingAllocator> allocators) {
        final SnapshotBuilder builder = new SnapshotBuilder();
        AllocatorSettings settings = AllocatorSettings.DEFAULT;
        for (final Map.Entry<Integer, CachingAllocator> device : allocators.entrySet()) {
            settings = device.getValue().locked(state -> {
                builder.add(device.getKey(), SegmentView.of(state), state.history.entries(),
                        state.history.options().keepsSitesOfAllocations());
                state.history.tick();
                state.history.record(TraceAction.SNAPSHOT, 0, state.stats.current(StatCounters.ACTIVE_BYTES), 0, 0);
                return state.settings;
            });
        }
        return new MemorySnapshot(builder.build(settings));
    }

    /**
     * {@return the state of one allocator, as device 0}
     *
     * @param allocator
     *            whose history gets an entry that a snapshot was taken
     */
    public static MemorySnapshot of(final CachingAllocator allocator) {
        return of(Map.of(0, allocator));
    }

    /**
     * A snapshot from plain maps, lists, strings and numbers, laid out as PyTorch's.
     *
     * @param data
     *            with the keys of {@code torch.cuda.memory._snapshot()}; is not copied
     * @return a snapshot over those maps
     * @throws IllegalArgumentException
     *             if something is missing or of the wrong kind: one line
     */
    public static MemorySnapshot ofData(final Map<String, Object> data) {
        final MemorySnapshot snapshot = new MemorySnapshot(data);
        snapshot.segments();
        snapshot.traces();
        return snapshot;
    }

    /**
     * Reads a snapshot: a pickle of protocol 2 to 5 or JSON, gzip-compressed or not.
     *
     * @param file
     *            written by PyTorch or VramLab
     * @return its segments, blocks and history
     * @throws SnapshotFormatException
     *             if it is damaged, holds more than data or is no snapshot: one line
     * @throws IOException
     *             if it cannot be read
     */
    @SuppressWarnings("unchecked")
    public static MemorySnapshot read(final Path file) throws IOException {
        try (InputStream in = unpacked(new BufferedInputStream(Files.newInputStream(file), GZIP_BUFFER))) {
            in.mark(1);
            final int first = in.read();
            in.reset();
            final Object root = first == '{' ? JsonData.read(in) : PickleReader.read(in);
            if (!(root instanceof Map<?, ?>)) {
                throw new PickleFormatException(NO_DICTIONARY);
            }
            return ofData((Map<String, Object>) root);
        } catch (final PickleFormatException | ZipException | EOFException | IllegalArgumentException e) {
            throw new SnapshotFormatException(file, e);
        }
    }

    /**
     * Reads a snapshot for its history: as {@link #read}, of up to 64 GiB, and with about 40 bytes of heap for each entry. What
     * was read so can be looked at and replayed, and not be written again.
     *
     * @param file
     *            written by PyTorch or VramLab
     * @return its segments, blocks and history, the history condensed
     * @throws SnapshotFormatException
     *             if it is damaged, holds more than data or is no snapshot: one line
     * @throws IOException
     *             if it cannot be read
     */
    @SuppressWarnings("unchecked")
    public static MemorySnapshot readHistory(final Path file) throws IOException {
        try (InputStream in = unpacked(new BufferedInputStream(Files.newInputStream(file), GZIP_BUFFER))) {
            in.mark(1);
            final int first = in.read();
            in.reset();
            if (first == '{') {
                return ofData((Map<String, Object>) JsonData.read(in));
            }
            if (PickleReader.read(in, new HistoryCondenser()) instanceof Map<?, ?> root) {
                return ofData((Map<String, Object>) root);
            }
            throw new PickleFormatException(NO_DICTIONARY);
        } catch (final PickleFormatException | ZipException | EOFException | IllegalArgumentException e) {
            throw new SnapshotFormatException(file, e);
        }
    }

    private static InputStream unpacked(final BufferedInputStream in) throws IOException {
        in.mark(2);
        final byte[] start = in.readNBytes(2);
        in.reset();
        final boolean gzip = start.length == 2 && start[0] == 0x1f && start[1] == (byte) 0x8b;
        return gzip ? new BufferedInputStream(new GZIPInputStream(in, GZIP_BUFFER), GZIP_BUFFER) : in;
    }

    /** {@return the snapshot as plain maps, lists, strings, numbers and booleans, laid out as PyTorch's; read-only} */
    public Map<String, Object> data() {
        return Collections.unmodifiableMap(data);
    }

    /** {@return all segments with their blocks} */
    public List<SegmentInfo> segments() {
        return new SnapshotView(data).segments();
    }

    /** {@return the history of each device, by index} */
    public List<List<TraceEntry>> traces() {
        return new SnapshotView(data).traces();
    }

    /** {@return the indices of the devices that have a history} */
    public List<Integer> devicesWithHistory() {
        final List<List<TraceEntry>> traces = traces();
        return IntStream.range(0, traces.size()).filter(device -> !traces.get(device).isEmpty()).boxed().toList();
    }

    /**
     * {@return the allocator's settings as in PYTORCH_CUDA_ALLOC_CONF, empty for the default ones; nothing where it
     * does not tell}
     */
    public Optional<String> settings() {
        return data.get("allocator_settings") instanceof Map<?, ?> settings
                && settings.get("PYTORCH_CUDA_ALLOC_CONF") instanceof String text
                        ? Optional.of(text)
                        : Optional.empty();
    }

    /** {@return whether the allocator released cached segments by age (garbage_collection_threshold)} */
    public boolean collectsGarbage() {
        return data.get("allocator_settings") instanceof Map<?, ?> settings
                && settings.get("garbage_collection_threshold") instanceof Double threshold && threshold > 0;
    }

    /**
     * Writes it: JSON if the name ends with .json, else a pickle; compressed if it ends with .gz. As a whole or not at all,
     * and through no symbolic link: see {@link WholeFile}.
     *
     * @param file
     *            replaced if it is there
     * @throws IOException
     *             if it cannot be written; then what was there before is there still
     */
    public void write(final Path file) throws IOException {
        final String name = file.getFileName().toString();
        WholeFile.write(file, stream -> {
            // closing what packs ends it
            try (OutputStream raw = new BufferedOutputStream(stream, GZIP_BUFFER);
                    OutputStream out = name.endsWith(".gz") ? new GZIPOutputStream(raw, GZIP_BUFFER) : raw) {
                if (name.endsWith(".json") || name.endsWith(".json.gz")) {
                    writeJson(out);
                } else {
                    writePickle(out);
                }
            }
        });
    }

    /**
     * Writes it as a pickle with the opcodes that the memory_viz page reads.
     *
     * @param out
     *            is flushed at most, not closed
     * @throws IOException
     *             if {@code out} throws it
     */
    public void writePickle(final OutputStream out) throws IOException {
        PickleWriter.write(data, out);
    }

    /**
     * Writes it as JSON, which newer memory_viz pages read too.
     *
     * @param out
     *            is flushed at most, not closed
     * @throws IOException
     *             if {@code out} throws it
     */
    public void writeJson(final OutputStream out) throws IOException {
        JsonData.write(data, out);
    }
}
