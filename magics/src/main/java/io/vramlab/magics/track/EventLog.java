package io.vramlab.magics.track;

import io.vramlab.memory.Allocator;
import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.BlockState;
import io.vramlab.memory.CallSites;
import io.vramlab.memory.MemoryListener;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.memory.SegmentInfo;
import io.vramlab.memory.TraceAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that happened in one allocator since the log was opened. Sizes in bytes; block sizes are those of the blocks
 * handed out, so sums equal the allocator's statistics.
 */
public final class EventLog implements MemoryListener {

    /** At most so many events are kept; then the older half is folded into the baseline. */
    static final int MOST_EVENTS = 1 << 20;

    /**
     * One event.
     *
     * @param action
     *            ALLOC, FREE_REQUESTED, SEGMENT_ALLOC, SEGMENT_FREE or OOM
     * @param address
     *            of the block or segment
     * @param bytes
     *            its size
     * @param requested
     *            what was asked for, for blocks
     * @param line
     *            where in the user's code, see {@link CellLines}
     * @param nanos
     *            when, on the clock of {@link System#nanoTime}
     * @param index
     *            its number since the log was opened
     */
    public record Event(TraceAction action, long address, long bytes, long requested, int line, long nanos,
            long index) {
    }

    /**
     * A block that is handed out.
     *
     * @param line
     *            where it was allocated, see {@link CellLines}; 0 when that was before the log
     * @param index
     *            number of its event, -1 when it was there before the log
     */
    public record Live(long address, long bytes, long requested, int line, long index) {
    }

    /** What is held at one moment. */
    public record State(long allocated, long reserved, long requested) {
    }

    private static final TraceAction[] ACTIONS = TraceAction.values();
    /** The state is noted every so many events, so that a short stretch at the end is read quickly. */
    private static final int STRIDE = 4096;

    private final Allocator allocator;
    private int most;
    private final Map<Long, Live> baseline = new HashMap<>();
    private final List<State> notes = new ArrayList<>();
    private State now = new State(0, 0, 0);
    private volatile boolean linesOfFrees;
    private Map<Long, Live> lastLive;
    private long lastIndex;
    private long folded;
    private int size;
    private long[] addresses = new long[1024];
    private long[] bytes = new long[1024];
    private long[] requested = new long[1024];
    private int[] lines = new int[1024];
    private long[] times = new long[1024];
    private byte[] actions = new byte[1024];

    private EventLog(Allocator allocator, int most) {
        this.allocator = allocator;
        this.most = most;
    }

    /** Begins to follow an allocator. No allocation may be under way on other threads meanwhile. */
    public static EventLog open(Allocator allocator) {
        return open(allocator, MOST_EVENTS);
    }

    /** The same, keeping at most so many events, a multiple of 8,192. */
    static EventLog open(Allocator allocator, int most) {
        EventLog log = new EventLog(allocator, most);
        long allocated = 0;
        long reserved = 0;
        long requested = 0;
        for (SegmentInfo segment : allocator.segments()) {
            reserved += segment.totalSize();
            for (BlockInfo block : segment.blocks()) {
                if (block.state() == BlockState.ACTIVE_ALLOCATED) {
                    log.baseline.put(block.address(),
                            new Live(block.address(), block.size(), block.requested(), 0, -1));
                    allocated += block.size();
                    requested += block.requested();
                }
            }
        }
        log.now = new State(allocated, reserved, requested);
        allocator.addListener(log);
        return log;
    }

    /** From now on at most so many events are kept; those that are there stay. */
    synchronized void keep(int events) {
        most = Math.max(most, events);
    }

    /** Says whether frees are given a line too; walking the stack is most of what following costs. A tensor's
     * allocation has been given its call site already; a free has not. */
    public void linesOfFrees(boolean wanted) {
        linesOfFrees = wanted;
    }

    /** Stops following. */
    public void close() {
        allocator.removeListener(this);
    }

    /** How many events there have been. */
    public synchronized long end() {
        return folded + size;
    }

    /** The first event that is still kept. */
    public synchronized long begin() {
        return folded;
    }

    @Override
    public void allocated(long address, long size, long asked, long stream, int site) {
        append(TraceAction.ALLOC, address, size, asked, CellLines.of(site == 0 ? CallSites.innermostInCell() : site));
    }

    @Override
    public void freed(long address, long size, long asked, long stream, int site) {
        append(TraceAction.FREE_REQUESTED, address, size, asked,
                linesOfFrees ? CellLines.of(CallSites.innermostInCell()) : 0);
    }

    @Override
    public void segmentAllocated(long address, long size, long stream) {
        append(TraceAction.SEGMENT_ALLOC, address, size, 0, CellLines.current());
    }

    @Override
    public void segmentFreed(long address, long size, long stream) {
        append(TraceAction.SEGMENT_FREE, address, size, 0, CellLines.current());
    }

    @Override
    public void outOfMemory(OutOfMemoryException failure, long stream) {
        append(TraceAction.OOM, 0, failure.segmentBytes(), failure.requested(), CellLines.current());
    }

    private synchronized void append(TraceAction action, long address, long block, long asked, int line) {
        if (size == most) {
            fold();
        }
        if (size == addresses.length) {
            int longer = 2 * size;
            addresses = Arrays.copyOf(addresses, longer);
            bytes = Arrays.copyOf(bytes, longer);
            requested = Arrays.copyOf(requested, longer);
            lines = Arrays.copyOf(lines, longer);
            times = Arrays.copyOf(times, longer);
            actions = Arrays.copyOf(actions, longer);
        }
        if (size % STRIDE == 0) {
            notes.add(now);
        }
        addresses[size] = address;
        bytes[size] = block;
        requested[size] = asked;
        lines[size] = line;
        times[size] = System.nanoTime();
        actions[size] = (byte) action.ordinal();
        now = after(now, size);
        size++;
    }

    private void fold() {
        int half = size / 2 / STRIDE * STRIDE;
        notes.subList(0, half / STRIDE).clear();
        for (int i = 0; i < half; i++) {
            apply(event(i), baseline);
        }
        System.arraycopy(addresses, half, addresses, 0, size - half);
        System.arraycopy(bytes, half, bytes, 0, size - half);
        System.arraycopy(requested, half, requested, 0, size - half);
        System.arraycopy(lines, half, lines, 0, size - half);
        System.arraycopy(times, half, times, 0, size - half);
        System.arraycopy(actions, half, actions, 0, size - half);
        size -= half;
        folded += half;
    }

    private Event event(int i) {
        return new Event(ACTIONS[actions[i]], addresses[i], bytes[i], requested[i], lines[i], times[i], folded + i);
    }

    private static void apply(Event event, Map<Long, Live> live) {
        if (event.action() == TraceAction.ALLOC) {
            live.put(event.address(),
                    new Live(event.address(), event.bytes(), event.requested(), event.line(), event.index()));
        } else if (event.action() == TraceAction.FREE_REQUESTED) {
            live.remove(event.address());
        }
    }

    private State after(State before, int i) {
        return new State(before.allocated() + change(i, TraceAction.ALLOC, TraceAction.FREE_REQUESTED, bytes),
                before.reserved() + change(i, TraceAction.SEGMENT_ALLOC, TraceAction.SEGMENT_FREE, bytes),
                before.requested() + change(i, TraceAction.ALLOC, TraceAction.FREE_REQUESTED, requested));
    }

    private long change(int i, TraceAction up, TraceAction down, long[] amounts) {
        if (actions[i] == up.ordinal()) {
            return amounts[i];
        }
        return actions[i] == down.ordinal() ? -amounts[i] : 0;
    }

    /** Follows the state event by event. */
    public interface Visitor {

        /** After an event. */
        void at(Event event, State state);
    }

    /** Shows every event from {@code from} (inclusive) to {@code to} (exclusive) that is still kept. */
    public synchronized void replay(long from, long to, Visitor visitor) {
        int first = (int) Math.clamp(from - folded, 0, size);
        State state = stateBefore(first);
        for (int i = first; i < size && folded + i < to; i++) {
            state = after(state, i);
            visitor.at(event(i), state);
        }
    }

    /** What was held before event {@code index}; of the oldest event still kept if that one is gone. */
    public synchronized State stateAt(long index) {
        return stateBefore((int) Math.clamp(index - folded, 0, size));
    }

    private State stateBefore(int i) {
        if (i == size) {
            return now;
        }
        int note = i / STRIDE;
        State state = notes.get(note);
        for (int j = note * STRIDE; j < i; j++) {
            state = after(state, j);
        }
        return state;
    }

    /** The blocks handed out after the events before {@code index}, by address. */
    public synchronized Map<Long, Live> liveAt(long index) {
        boolean fromLast = lastLive != null && lastIndex <= index && lastIndex >= folded;
        Map<Long, Live> live = new HashMap<>(fromLast ? lastLive : baseline);
        for (int i = fromLast ? (int) (lastIndex - folded) : 0; i < size && folded + i < index; i++) {
            apply(event(i), live);
        }
        // cells ask for the end again and again: each time only the events since then are gone through
        if (index >= folded + size) {
            lastLive = live;
            lastIndex = folded + size;
        }
        return Collections.unmodifiableMap(live);
    }
}
