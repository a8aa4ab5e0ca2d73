package io.vramlab.memory;

import io.vramlab.memory.internal.pickle.HeldApart;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

/** History entries in columns: 31 bytes each, where objects take 60. Entries are made when they are asked for. */
final class HistoryColumns extends AbstractList<Object> implements RandomAccess, HeldApart {

    private static final int SHIFT = 16;
    private static final int CHUNK = 1 << SHIFT;
    private static final int MOST_OBJECTS = 500_000;

    private static final class Chunk {
        private final byte[] actions = new byte[CHUNK];
        private final long[] addresses = new long[CHUNK];
        private final long[] sizes = new long[CHUNK];
        private final long[] times = new long[CHUNK];
        private final int[] sites = new int[CHUNK];
        private final short[] streams = new short[CHUNK];
    }

    private final List<Chunk> chunks = new ArrayList<>();
    private final List<Long> streams = new ArrayList<>();
    private final Map<Long, Short> known = new HashMap<>();
    private final Map<Integer, String> metadata = new HashMap<>();
    private int count;
    private List<TraceEntry> made = List.of();

    @Override
    public boolean add(final Object item) {
        if (item instanceof Map<?, ?> other && other.get("action") instanceof String action
                && TraceAction.of(action) == null) {
            return false; // another version's, which this allocator does not have
        }
        if (!(item instanceof TraceEntry entry)) {
            throw new IllegalArgumentException("a trace holds something that is no entry");
        }
        if (count >> SHIFT == chunks.size()) {
            chunks.add(new Chunk());
        }
        final Chunk chunk = chunks.getLast();
        final int at = count & CHUNK - 1;
        chunk.actions[at] = (byte) entry.action().ordinal();
        chunk.addresses[at] = entry.address();
        chunk.sizes[at] = entry.size();
        chunk.times[at] = entry.timeMicros();
        chunk.sites[at] = entry.site();
        chunk.streams[at] = known.computeIfAbsent(entry.stream(), stream -> {
            if (streams.size() > Short.MAX_VALUE) {
                throw new IllegalArgumentException("a trace tells of more than " + Short.MAX_VALUE + " streams");
            }
            streams.add(stream);
            return (short) (streams.size() - 1);
        });
        if (!entry.metadata().isEmpty()) {
            metadata.put(count, entry.metadata());
        }
        count++;
        return true;
    }

    @Override
    public TraceEntry get(final int index) {
        final Chunk chunk = chunks.get(index >> SHIFT);
        final int at = index & CHUNK - 1;
        return new TraceEntry(TraceAction.at(chunk.actions[at]), chunk.addresses[at], chunk.sizes[at],
                streams.get(chunk.streams[at]), chunk.times[at],
                metadata.isEmpty() ? "" : metadata.getOrDefault(index, ""), chunk.sites[at]);
    }

    @Override
    public int size() {
        return count;
    }

    /** As a list of entries; of a short history they are made once, since each is asked for some dozens of times. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    synchronized List<TraceEntry> entries() {
        if (count <= MOST_OBJECTS) {
            made = made.size() == count ? made : Arrays.asList(toArray(new TraceEntry[0]));
            return made;
        }
        return (List) this; // it accepts nothing else
    }
}
