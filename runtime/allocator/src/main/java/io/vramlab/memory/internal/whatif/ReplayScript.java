package io.vramlab.memory.internal.whatif;

import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.BlockState;
import io.vramlab.memory.SegmentInfo;
import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a program did to one device's allocator, told without addresses, so that it can be done again under other
 * settings. Blocks have numbers; those that existed before the recording began come first and are allocated before the
 * first step.
 */
final class ReplayScript {

    static final byte ALLOCATE = 0;
    static final byte FREE = 1;
    static final byte FREE_LATER = 2;
    static final byte COMPLETE = 3;
    static final byte EMPTY_CACHE = 4;
    static final byte RUN_OUT = 5;

    private record Known(int id, long bytes, long stream) {
    }

    private final List<Known> existing = new ArrayList<>();
    private byte[] kinds = new byte[1024];
    private int[] ids = new int[1024];
    private long[] sizes = new long[1024];
    private long[] streams = new long[1024];
    private int[] events = new int[1024];
    private int steps;
    private int blocks;
    private int totalEvents;
    private int unknownFrees;
    private int pendingFrees;
    private int emptied;

    private ReplayScript() {
    }

    /**
     * Reads a history.
     *
     * @param trace
     *            of one device, oldest first
     * @param segments
     *            the same device's layout at the end
     * @param collectsGarbage
     *            whether the recorded allocator released segments by age
     */
    static ReplayScript of(final List<TraceEntry> trace, final List<SegmentInfo> segments,
            final boolean collectsGarbage) {
        final ReplayScript script = new ReplayScript();
        script.read(trace, EmptiedCaches.in(trace, collectsGarbage));
        script.addSurvivors(trace, segments);
        return script;
    }

    int steps() {
        return steps;
    }

    int blocks() {
        return blocks;
    }

    byte kind(final int step) {
        return kinds[step];
    }

    int block(final int step) {
        return ids[step];
    }

    long bytes(final int step) {
        return sizes[step];
    }

    long stream(final int step) {
        return streams[step];
    }

    /** The step's place in the recorded history. */
    int event(final int step) {
        return events[step];
    }

    /** Entries of the recorded history. */
    int totalEvents() {
        return totalEvents;
    }

    int existingCount() {
        return existing.size();
    }

    int existingBlock(final int i) {
        return existing.get(i).id;
    }

    long existingBytes(final int i) {
        return existing.get(i).bytes;
    }

    long existingStream(final int i) {
        return existing.get(i).stream;
    }

    long existingTotal() {
        return existing.stream().mapToLong(Known::bytes).sum();
    }

    int unknownFrees() {
        return unknownFrees;
    }

    int pendingFrees() {
        return pendingFrees;
    }

    int emptied() {
        return emptied;
    }

    private void read(final List<TraceEntry> trace, final BitSet emptiedAt) {
        totalEvents = trace.size();
        final Map<Long, Integer> live = new HashMap<>();
        final Map<Long, Integer> pending = new HashMap<>();
        for (int i = 0; i < trace.size(); i++) {
            final TraceEntry entry = trace.get(i);
            switch (entry.action()) {
                case ALLOC -> {
                    live.put(entry.address(), blocks);
                    add(ALLOCATE, blocks++, entry, i);
                }
                case FREE_REQUESTED -> free(trace, i, live, pending);
                case FREE_COMPLETED -> complete(entry, i, pending);
                case SEGMENT_FREE, SEGMENT_UNMAP -> {
                    if (emptiedAt.get(i)) {
                        add(EMPTY_CACHE, -1, entry, i);
                        emptied++;
                    }
                }
                case OOM -> add(RUN_OUT, -1, entry, i);
                case SEGMENT_ALLOC, SEGMENT_MAP, SNAPSHOT -> {
                    // the replay's own allocator decides about segments
                }
            }
        }
    }

    private void free(final List<TraceEntry> trace, final int i, final Map<Long, Integer> live,
            final Map<Long, Integer> pending) {
        final TraceEntry entry = trace.get(i);
        Integer id = live.remove(entry.address());
        if (id == null) {
            id = blocks++;
            unknownFrees++;
            existing.add(new Known(id, entry.size(), entry.stream()));
        }
        final TraceEntry next = i + 1 < trace.size() ? trace.get(i + 1) : null;
        final boolean atOnce = next != null && next.action() == TraceAction.FREE_COMPLETED
                && next.address() == entry.address();
        if (!atOnce) {
            pending.put(entry.address(), id);
            pendingFrees++;
        }
        add(atOnce ? FREE : FREE_LATER, id, entry, i);
    }

    /** A completion without its request belongs to a block given up before the recording began. */
    private void complete(final TraceEntry entry, final int i, final Map<Long, Integer> pending) {
        final Integer id = pending.remove(entry.address());
        if (id != null) {
            add(COMPLETE, id, entry, i);
        }
    }

    /** Blocks that are alive at the end but were never seen to be allocated were there all the time. */
    private void addSurvivors(final List<TraceEntry> trace, final List<SegmentInfo> segments) {
        final Set<Long> unseen = new HashSet<>();
        segments.stream().flatMap(segment -> segment.blocks().stream()).filter(ReplayScript::isAlive)
                .forEach(block -> unseen.add(block.address()));
        for (int i = 0; i < trace.size() && !unseen.isEmpty(); i++) {
            final TraceEntry entry = trace.get(i);
            if (entry.action() == TraceAction.ALLOC || entry.action() == TraceAction.FREE_REQUESTED) {
                unseen.remove(entry.address());
            }
        }
        segments.stream().sorted(Comparator.comparingLong(SegmentInfo::address)).forEach(segment -> {
            for (final BlockInfo block : segment.blocks()) {
                if (isAlive(block) && unseen.contains(block.address())) {
                    existing.add(new Known(blocks++, block.requested(), segment.stream()));
                }
            }
        });
    }

    private static boolean isAlive(final BlockInfo block) {
        return block.state() == BlockState.ACTIVE_ALLOCATED;
    }

    private void add(final byte kind, final int id, final TraceEntry entry, final int event) {
        if (steps == kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * steps);
            ids = Arrays.copyOf(ids, 2 * steps);
            sizes = Arrays.copyOf(sizes, 2 * steps);
            streams = Arrays.copyOf(streams, 2 * steps);
            events = Arrays.copyOf(events, 2 * steps);
        }
        kinds[steps] = kind;
        ids[steps] = id;
        sizes[steps] = entry.size();
        streams[steps] = entry.stream();
        events[steps++] = event;
    }
}
