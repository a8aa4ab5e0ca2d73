package io.vramlab.install.advice;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.function.LongUnaryOperator;

import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Moment;
import io.vramlab.install.story.Story;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;

/** A history in which something was done otherwise: blocks went earlier, were never made, or had other sizes. */
final class Altered {

    private final Story story;
    private final Lives lives;
    private final Set<Integer> dropped = new HashSet<>();
    private final Map<Integer, Integer> endsAt = new HashMap<>();
    private final Map<Integer, List<TraceEntry>> added = new HashMap<>();
    private IntToLongFunction sizes;
    private LongUnaryOperator asked = size -> size;
    private int failsFrom;
    private boolean keepsCache;
    private boolean oneStream;

    Altered(Story story, Lives lives) {
        this.story = story;
        this.lives = lives;
        sizes = lives::bytes;
    }

    /** Blocks that go right after an event. */
    Altered letGo(int[] blocks, int[] until) {
        for (int i = 0; i < blocks.length; i++) {
            if (lives.born(blocks[i]) >= 0) {
                endsAt.put(blocks[i], Math.max(until[i], lives.born(blocks[i])));
            }
        }
        return this;
    }

    /** Blocks that are never made. */
    Altered without(int... blocks) {
        for (int block : blocks) {
            if (lives.born(block) >= 0) {
                dropped.add(block);
            }
        }
        return this;
    }

    /** A block more, made with the first of some and never let go of. */
    Altered with(long bytes, int event, long address) {
        added.computeIfAbsent(event, at -> new ArrayList<>())
                .add(new TraceEntry(TraceAction.ALLOC, address, bytes, 0, 0, "", 0));
        return this;
    }

    /** Blocks, and requests that failed, of other sizes. */
    Altered scaled(IntToLongFunction block, LongUnaryOperator failed) {
        sizes = block;
        asked = failed;
        return this;
    }

    /** Requests that failed before an event are not made, since what was let go of then does not help them. */
    Altered failingFrom(int event) {
        failsFrom = event;
        return this;
    }

    /** Nothing is given back by the program's wish. */
    Altered keepingCache() {
        keepsCache = true;
        return this;
    }

    /** All on one stream, where nothing waits for another. */
    Altered onOneStream() {
        oneStream = true;
        return this;
    }

    /** The history as a snapshot of one device. */
    MemorySnapshot snapshot() {
        List<TraceEntry> events = new ArrayList<>(story.events().size());
        Map<Long, Integer> now = new HashMap<>();
        Map<Integer, List<TraceEntry>> ends = new HashMap<>();
        int next = story.before().size();
        for (int i = 0; i < story.events().size(); i++) {
            TraceEntry event = story.events().get(i);
            switch (event.action()) {
                case ALLOC -> {
                    int block = next++;
                    now.put(event.address(), block);
                    if (!dropped.contains(block)) {
                        long own = address(block);
                        events.add(like(event, TraceAction.ALLOC, own, sizes.applyAsLong(block)));
                        Integer end = endsAt.get(block);
                        if (end != null) {
                            ends.computeIfAbsent(end, at -> new ArrayList<>())
                                    .addAll(freed(event, own, sizes.applyAsLong(block)));
                        }
                    }
                }
                case FREE_REQUESTED, FREE_COMPLETED -> {
                    Integer block = now.get(event.address());
                    if (block == null) {
                        add(events, event, event.address(), event.size());
                    } else if (!dropped.contains(block) && !endsAt.containsKey(block)) {
                        add(events, event, address(block), sizes.applyAsLong(block));
                    }
                    if (event.action() == TraceAction.FREE_COMPLETED) {
                        now.remove(event.address());
                    }
                }
                case OOM -> {
                    if (i >= failsFrom) {
                        events.add(like(event, TraceAction.OOM, event.address(), asked.applyAsLong(event.size())));
                    }
                }
                default -> {
                    if (!keepsCache) {
                        events.add(event);
                    }
                }
            }
            events.addAll(added.getOrDefault(i, List.of()));
            events.addAll(ends.getOrDefault(i, List.of()));
        }
        return MemorySnapshot.ofData(Map.of("segments", before(), "device_traces", List.of(events)));
    }

    private void add(List<TraceEntry> events, TraceEntry event, long address, long size) {
        if (oneStream && event.action() == TraceAction.FREE_REQUESTED) {
            events.addAll(freed(event, address, size));
        } else if (!oneStream) {
            events.add(like(event, event.action(), address, size));
        }
    }

    private List<TraceEntry> freed(TraceEntry event, long address, long size) {
        return List.of(like(event, TraceAction.FREE_REQUESTED, address, size),
                like(event, TraceAction.FREE_COMPLETED, address, size));
    }

    private TraceEntry like(TraceEntry event, TraceAction action, long address, long size) {
        return new TraceEntry(action, address, Math.max(1, size), oneStream ? 0 : event.stream(), event.timeMicros(),
                "", 0);
    }

    /** Blocks whose ends move may lie over each other: each gets a name of its own. */
    private static long address(int block) {
        return (1L << 56) + 512L * block;
    }

    /** What was there all the time, each in a segment of its own. */
    private List<Object> before() {
        List<Object> segments = new ArrayList<>();
        int block = 0;
        for (Map.Entry<Long, Moment.Held> held : story.before().entrySet().stream().sorted(Map.Entry.comparingByKey())
                .toList()) {
            if (lives.died(block) == Lives.NEVER) {
                long size = (held.getValue().bytes() + 511) / 512 * 512;
                segments.add(Map.of("address", held.getKey(), "total_size", size, "stream", 0L, "segment_type", "large",
                        "blocks",
                        List.of(Map.of("size", size, "requested_size", held.getValue().bytes(), "state",
                                "active_allocated"))));
            }
            block++;
        }
        return segments;
    }
}
