package io.vramlab.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The allocator's history: a ring of entries, each five longs in arrays of primitives, so that recording makes no
 * objects. The ring grows as it fills, up to the number of entries asked for; then the oldest are overwritten:
 * docs/allocator.md, "History".
 *
 * <p>
 * Guarded by the allocator's lock.
 */
final class MemoryHistory {

    private static final int CHUNK_BITS = 12;
    private static final int CHUNK = 1 << CHUNK_BITS;
    private static final int WIDTH = 5;

    private HistoryOptions options = HistoryOptions.OFF;
    private boolean recording;
    private int skipped;
    private long[][] chunks = new long[0][];
    private long written;
    /** Where the next entry goes. */
    private int next;
    private long now;
    private final List<String> metadataTexts = new ArrayList<>(List.of(""));
    private final Map<String, Integer> metadataIds = new HashMap<>(Map.of("", 0));
    private int metadata;

    HistoryOptions options() {
        return options;
    }

    boolean isRecording() {
        return recording;
    }

    void configure(final HistoryOptions next) {
        if (next.clearHistory() || next.enabled() == null || next.maxEntries() != options.maxEntries()) {
            clear();
        }
        options = next;
        recording = next.enabled() != null;
        skipped = 0;
        for (final TraceAction action : next.skipActions()) {
            skipped |= 1 << action.ordinal();
        }
    }

    void clear() {
        chunks = new long[0][];
        written = 0;
        next = 0;
    }

    /** Reads the clock for the entries of one operation; reading it for each would cost more than the rest. */
    void tick() {
        if (recording) {
            now = MicrosClock.now();
        }
    }

    /** The text that later entries carry. */
    void metadata(final String text) {
        metadata = metadataIds.computeIfAbsent(text, t -> {
            metadataTexts.add(t);
            return metadataTexts.size() - 1;
        });
    }

    String metadata() {
        return metadataTexts.get(metadata);
    }

    void record(final TraceAction action, final long address, final long size, final long stream, final int site) {
        if (!recording || (skipped & 1 << action.ordinal()) != 0) {
            return;
        }
        final int index = next;
        next = index + 1 == options.maxEntries() ? 0 : index + 1;
        final int chunk = index >>> CHUNK_BITS;
        if (chunk >= chunks.length) {
            chunks = Arrays.copyOf(chunks, Math.max(8, 2 * chunks.length));
        }
        long[] entries = chunks[chunk];
        if (entries == null) {
            entries = new long[CHUNK * WIDTH];
            chunks[chunk] = entries;
        }
        final int at = (index & CHUNK - 1) * WIDTH;
        entries[at] = address;
        entries[at + 1] = size;
        entries[at + 2] = stream;
        entries[at + 3] = now;
        entries[at + 4] = (long) site << 32 | (long) metadata << 8 | action.ordinal();
        written++;
    }

    int size() {
        return (int) Math.min(written, options.maxEntries());
    }

    /** Entries that the ring overwrote. */
    long overwritten() {
        return written - size();
    }

    /** All entries, oldest first. */
    List<TraceEntry> entries() {
        final int count = size();
        final List<TraceEntry> list = new ArrayList<>(count);
        for (long i = written - count; i < written; i++) {
            list.add(entry((int) (i % options.maxEntries())));
        }
        return list;
    }

    private TraceEntry entry(final int index) {
        final long[] entries = chunks[index >>> CHUNK_BITS];
        final int at = (index & CHUNK - 1) * WIDTH;
        final long packed = entries[at + 4];
        return new TraceEntry(TraceAction.at((int) packed & 0xff), entries[at], entries[at + 1], entries[at + 2],
                entries[at + 3], metadataTexts.get((int) (packed >>> 8) & 0xffffff), (int) (packed >>> 32));
    }
}
