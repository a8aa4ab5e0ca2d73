package io.vramlab.memory.internal.whatif;

import io.vramlab.memory.TraceAction;
import io.vramlab.memory.TraceEntry;
import java.util.BitSet;
import java.util.List;

/**
 * Tells, in a history, the cache being emptied by the program from segments given back to make room for a request.
 *
 * <p>
 * Room is made only when the request's segment would not fit: when what was reserved and the new segment together exceed
 * the limit, which is at least the most that was ever reserved. Where they do not, the program emptied the cache.
 * Collection by age obeys other rules: with it on, segments given back just before a new one count as its doing.
 */
final class EmptiedCaches {

    private final List<TraceEntry> trace;
    private final boolean collectsGarbage;
    private final long mostReserved;

    private EmptiedCaches(final List<TraceEntry> trace, final boolean collectsGarbage) {
        this.trace = trace;
        this.collectsGarbage = collectsGarbage;
        long reserved = 0;
        long most = 0;
        for (final TraceEntry entry : trace) {
            reserved += change(entry);
            most = Math.max(most, reserved);
        }
        mostReserved = most;
    }

    /** The entries that end a run of segments given back by the program's wish. */
    static BitSet in(final List<TraceEntry> trace, final boolean collectsGarbage) {
        return new EmptiedCaches(trace, collectsGarbage).find();
    }

    private BitSet find() {
        final BitSet ends = new BitSet();
        long reserved = 0;
        long beforeRun = 0;
        for (int i = 0; i < trace.size(); i++) {
            if (!releases(i - 1)) {
                beforeRun = reserved;
            }
            reserved += change(trace.get(i));
            if (releases(i) && !releases(i + 1) && !makesRoom(i + 1, beforeRun)) {
                ends.set(i);
            }
        }
        return ends;
    }

    /** Whether segments given back just before entry {@code i} were given back for its sake. */
    private boolean makesRoom(final int i, final long reservedBefore) {
        if (i == trace.size()) {
            return false;
        }
        return switch (trace.get(i).action()) {
            case OOM -> true;
            case SEGMENT_ALLOC, SEGMENT_MAP -> collectsGarbage || reservedBefore + trace.get(i).size() > mostReserved;
            default -> false;
        };
    }

    private boolean releases(final int i) {
        return i >= 0 && i < trace.size() && change(trace.get(i)) < 0;
    }

    private static long change(final TraceEntry entry) {
        if (entry.action() == TraceAction.SEGMENT_ALLOC || entry.action() == TraceAction.SEGMENT_MAP) {
            return entry.size();
        }
        final boolean released = entry.action() == TraceAction.SEGMENT_FREE
                || entry.action() == TraceAction.SEGMENT_UNMAP;
        return released ? -entry.size() : 0;
    }
}
