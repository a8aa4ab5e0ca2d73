package io.vramlab.install.story;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.BlockState;
import io.vramlab.memory.CallSites;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.SegmentInfo;
import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;

/**
 * One device's history, with what was held after every event.
 *
 * <p>
 * A history tells the bytes that were requested, so {@code live} counts those. What was there before the history began is
 * found from what it frees, and from what is left at the end without having been allocated in it.
 */
public final class Story {

    private static final int MOST_MOMENTS = 4;
    /** PyTorch's function, and this runtime's. */
    private static final Set<String> EMPTIES = Set.of("empty_cache", "emptyCache");

    private final List<TraceEntry> events;
    private final Moment start;
    private final long[] live;
    private final long[] reserved;
    /** The events at which more was reserved than ever before: few, where the events are millions. */
    private final int[] rises;
    private final List<Integer> failures;
    private final List<Integer> takenAfterGiving;
    private final int peak;
    /** The moments that were asked for last: the same few again and again, and each is a walk through the history. */
    private final Map<Integer, Moment> moments = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Moment> eldest) {
            return size() > MOST_MOMENTS;
        }
    };

    private final String settings;
    /** The call sites of the blocks that are there when the history ends, by address. */
    private final Map<Long, Integer> sitesAtEnd;

    private Story(List<TraceEntry> events, Moment start, String settings, Map<Long, Integer> sitesAtEnd) {
        this.settings = settings;
        this.sitesAtEnd = sitesAtEnd;
        this.events = events;
        this.start = start;
        this.live = new long[events.size()];
        this.reserved = new long[events.size()];
        Moment now = start.copy();
        List<Integer> failed = new ArrayList<>();
        List<Integer> taken = new ArrayList<>();
        List<Integer> risen = new ArrayList<>();
        long most = start.reserved();
        int highest = -1;
        boolean given = false;
        // what detectors ask for again and again is read off in one go: a history has millions of events
        for (int i = 0; i < events.size(); i++) {
            TraceEntry event = events.get(i);
            now.apply(event);
            live[i] = now.live();
            reserved[i] = now.reserved();
            if (reserved[i] > most) {
                most = reserved[i];
                risen.add(i);
            }
            highest = live[i] > live(highest) ? i : highest;
            switch (event.action()) {
                case OOM -> failed.add(i);
                case SEGMENT_ALLOC, SEGMENT_MAP -> {
                    if (given) {
                        taken.add(i);
                    }
                }
                default -> {
                    // neither failed nor taken
                }
            }
            given = event.action() == TraceAction.SEGMENT_FREE || event.action() == TraceAction.SEGMENT_UNMAP;
        }
        rises = risen.stream().mapToInt(Integer::intValue).toArray();
        peak = highest;
        failures = List.copyOf(failed);
        takenAfterGiving = List.copyOf(taken);
    }

    private static Set<Long> addresses(List<SegmentInfo> segments, Predicate<SegmentInfo> which) {
        return segments.stream().filter(which).map(SegmentInfo::address).collect(Collectors.toUnmodifiableSet());
    }

    /** The history of one device of a snapshot. */
    public static Story of(MemorySnapshot snapshot, int device) {
        List<TraceEntry> events = snapshot.traces().get(device);
        List<SegmentInfo> left = snapshot.segments().stream().filter(segment -> segment.device() == device).toList();
        Map<Long, Moment.Held> blocks = new HashMap<>();
        Map<Long, Long> segments = new HashMap<>();
        Set<Long> isPrivate = addresses(left, segment -> segment.poolId() != 0);
        // PyTorch names a pool (0, k) that the program made, and refuses to capture a graph on the default stream
        Set<Long> isUsers = addresses(left, segment -> segment.poolId() > 0 && segment.stream() == 0);
        Map<Long, Integer> sites = new HashMap<>();
        Moment now = new Moment(Map.of(), Map.of(), isPrivate, isUsers);
        for (TraceEntry event : events) {
            if (event.action() == TraceAction.FREE_COMPLETED && !now.holds(event.address())) {
                blocks.putIfAbsent(event.address(), new Moment.Held(event.size(), 0, -1));
            } else if (event.action() == TraceAction.SEGMENT_FREE && !now.hasSegment(event.address())) {
                segments.putIfAbsent(event.address(), event.size());
            }
            now.apply(event);
        }
        for (SegmentInfo segment : left) {
            if (!segment.expandable() && !now.hasSegment(segment.address())) {
                segments.putIfAbsent(segment.address(), segment.totalSize());
            }
            for (BlockInfo block : segment.blocks()) {
                if (block.state() != BlockState.INACTIVE && block.site() != 0) {
                    sites.put(block.address(), block.site());
                }
                if (block.state() != BlockState.INACTIVE && !now.holds(block.address())) {
                    blocks.putIfAbsent(block.address(), new Moment.Held(block.requested(), block.site(), -1));
                }
            }
        }
        return new Story(events, new Moment(blocks, segments, isPrivate, isUsers), snapshot.settings().orElse(""),
                sites);
    }

    /** The blocks that were in use before the first event, by address. */
    public Map<Long, Moment.Held> before() {
        return start.blocks();
    }

    /** The call site of the block that is at an address when the history ends; 0 when unknown. */
    int siteAtEnd(long address) {
        return sitesAtEnd.getOrDefault(address, 0);
    }

    /** The events, oldest first. */
    public List<TraceEntry> events() {
        return events;
    }

    /** Requested bytes of the blocks that were in use after event {@code i}; -1 for before the first. */
    public long live(int i) {
        return i < 0 ? start.live() : live[i];
    }

    /** Bytes held from the driver after event {@code i}; -1 for before the first. */
    public long reserved(int i) {
        return i < 0 ? start.reserved() : reserved[i];
    }

    /** The event after which most was in use; -1 when that was before the first. */
    public int peak() {
        return peak;
    }

    /** The most that was ever reserved up to and with event {@code last}. */
    public long mostReserved(int last) {
        int at = Arrays.binarySearch(rises, last);
        int rise = at >= 0 ? at : -at - 2;
        return rise < 0 ? start.reserved() : reserved[rises[rise]];
    }

    /** The allocator's settings that it was recorded under, as in PYTORCH_CUDA_ALLOC_CONF; empty for the default ones or unknown. */
    public String settings() {
        return settings;
    }

    /** Places of the requests that failed. */
    public List<Integer> failures() {
        return failures;
    }

    /**
     * Where memory was taken from the driver just after some was given back, and would not have fitted into the most that was
     * ever reserved without that: the cache flushed to make room.
     */
    public List<Integer> flushes() {
        long most = mostReserved(events.size() - 1);
        return takenAfterGiving.stream()
                .filter(i -> reserved(beforeGiving(i)) + events.get(i).size() > most && !isByCall(i - 1))
                .toList();
    }

    /** How often memory was given back though there was room: emptied by the program, or by age. */
    public int emptied() {
        return takenAfterGiving.size() - flushes().size();
    }

    /** The first events of each time that memory was given back though no request needed it at once. */
    public int[] timesEmptied() {
        long most = mostReserved(events.size() - 1);
        List<Integer> times = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            if (isGivenBack(i) && (i == 0 || !isGivenBack(i - 1))) {
                int next = i;
                while (next < events.size() && isGivenBack(next)) {
                    next++;
                }
                boolean needed = !isByCall(i) && next < events.size() && (events.get(next).action() == TraceAction.OOM
                        || isTaken(next) && reserved(i - 1) + events.get(next).size() > most);
                if (!needed) {
                    times.add(i);
                }
            }
        }
        return times.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Whether the program asked for the cache to be emptied, where the history has stacks. */
    public boolean isByCall(int event) {
        return CallSites.frames(events.get(event).site()).stream().anyMatch(frame -> EMPTIES.contains(frame.method()));
    }

    private boolean isTaken(int event) {
        return events.get(event).action() == TraceAction.SEGMENT_ALLOC
                || events.get(event).action() == TraceAction.SEGMENT_MAP;
    }

    /** The last event before what was given back just before event {@code taken}; -1 when that is the history's start. */
    public int beforeGiving(int taken) {
        int before = taken - 1;
        while (before >= 0 && isGivenBack(before)) {
            before--;
        }
        return before;
    }

    private boolean isGivenBack(int event) {
        return events.get(event).action() == TraceAction.SEGMENT_FREE
                || events.get(event).action() == TraceAction.SEGMENT_UNMAP;
    }

    /** Whether any of its allocations has a stack. */
    public boolean hasStacks() {
        return events.stream().anyMatch(event -> event.action() == TraceAction.ALLOC && event.site() != 0);
    }

    /** The last event of what the cause is looked for in: the first failure, or else the peak. */
    public int decisive() {
        List<Integer> failures = failures();
        return failures.isEmpty() ? peak() : failures.getFirst();
    }

    /** Bytes of the blocks freed after event {@code from} and up to event {@code to}. */
    public long freed(int from, int to) {
        long freed = 0;
        for (int i = from + 1; i <= to; i++) {
            freed += events.get(i).action() == TraceAction.FREE_COMPLETED ? events.get(i).size() : 0;
        }
        return freed;
    }

    /** All blocks and segments after event {@code last}. */
    public synchronized Moment at(int last) {
        return moments.computeIfAbsent(last, to -> {
            Moment moment = start.copy();
            for (int i = 0; i <= to; i++) {
                moment.apply(events.get(i));
            }
            return moment;
        });
    }
}
