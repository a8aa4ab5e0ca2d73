package io.vramlab.magics.timeline;

import io.vramlab.magics.track.EventLog;
import io.vramlab.memory.TraceAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A log brought down to as many columns as a picture has. Each column shows the moment within it at which most was
 * allocated.
 */
final class Curve {

    /** A failed request. */
    record Failure(double x, long bytes) {
    }

    final int columns;
    final long[] allocated;
    final long[] reserved;
    final long[] requested;
    final Map<String, long[]> groups = new LinkedHashMap<>();
    final List<Failure> failures = new ArrayList<>();
    private final double first;
    private final double last;
    private final boolean byTime;
    private final Map<Long, Double> positions = new HashMap<>();
    long peak;
    double peakX;
    long peakIndex;
    EventLog.State end;

    /**
     * Reads a log.
     *
     * @param group
     *            the group of an allocation's event number, or null for no groups
     */
    static Curve of(EventLog log, long from, long to, int most, boolean byTime, Function<EventLog.Live, String> group) {
        List<EventLog.Event> events = new ArrayList<>();
        List<EventLog.State> states = new ArrayList<>();
        log.replay(from, to, (event, state) -> {
            events.add(event);
            states.add(state);
        });
        Curve curve = new Curve(events, Math.max(1, Math.min(most, events.size() + 1)), byTime, from);
        curve.fill(events, states, log.stateAt(from));
        if (group != null) {
            curve.fillGroups(log, from, events, states, group);
        }
        return curve;
    }

    private Curve(List<EventLog.Event> events, int columns, boolean byTime, long from) {
        this.columns = columns;
        this.byTime = byTime;
        this.allocated = new long[columns];
        this.reserved = new long[columns];
        this.requested = new long[columns];
        boolean none = events.isEmpty();
        this.first = none ? 0 : byTime ? events.get(0).nanos() : from;
        this.last = none ? 1 : byTime ? events.get(events.size() - 1).nanos() : from + events.size();
    }

    /** Where a moment lies, from 0 at the left to 1 at the right. */
    private double x(EventLog.Event event) {
        double at = byTime ? event.nanos() : event.index() + 1;
        return last == first ? 1 : Math.clamp((at - first) / (last - first), 0, 1);
    }

    /** Where the event of that number lies. */
    double x(long index) {
        if (byTime) {
            return positions.getOrDefault(index, index <= 0 ? 0.0 : 1.0);
        }
        return last == first ? 0 : Math.clamp((index - first) / (last - first), 0, 1);
    }

    private int column(double x) {
        return Math.min(columns - 1, (int) (x * columns));
    }

    private void fill(List<EventLog.Event> events, List<EventLog.State> states, EventLog.State before) {
        EventLog.State previous = before;
        peak = before.allocated();
        peakIndex = events.isEmpty() ? 0 : events.get(0).index();
        int filled = -1;
        for (int i = 0; i < events.size(); i++) {
            EventLog.State state = states.get(i);
            double x = x(events.get(i));
            if (byTime) {
                positions.put(events.get(i).index(), x);
            }
            int column = column(x);
            for (int c = filled + 1; c < column; c++) {
                put(c, previous);
            }
            if (column > filled || state.allocated() >= allocated[column]) {
                put(column, state);
            }
            filled = Math.max(filled, column);
            reserved[column] = Math.max(reserved[column], state.reserved());
            if (state.allocated() > peak) {
                peak = state.allocated();
                peakX = x;
                peakIndex = events.get(i).index() + 1;
            }
            if (events.get(i).action() == TraceAction.OOM) {
                failures.add(new Failure(x, events.get(i).bytes()));
            }
            previous = state;
        }
        for (int c = filled + 1; c < columns; c++) {
            put(c, previous);
        }
        end = previous;
    }

    private void put(int column, EventLog.State state) {
        allocated[column] = state.allocated();
        reserved[column] = Math.max(reserved[column], state.reserved());
        requested[column] = state.requested();
    }

    private void fillGroups(EventLog log, long from, List<EventLog.Event> events, List<EventLog.State> states,
            Function<EventLog.Live, String> group) {
        Map<Long, String> owner = new HashMap<>();
        Map<String, Long> now = new HashMap<>();
        log.liveAt(from).values().forEach(live -> {
            String name = group.apply(live);
            owner.put(live.address(), name);
            now.merge(name, live.bytes(), Long::sum);
        });
        for (int c = 0; c < columns; c++) {
            record(c, now);
        }
        long[] shown = new long[columns];
        Arrays.fill(shown, -1);
        int filled = -1;
        for (int i = 0; i < events.size(); i++) {
            EventLog.Event event = events.get(i);
            int column = column(x(event));
            for (int c = filled + 1; c < column; c++) {
                record(c, now);
            }
            filled = Math.max(filled, column);
            if (event.action() == TraceAction.ALLOC) {
                String name = group.apply(new EventLog.Live(event.address(), event.bytes(), event.requested(),
                        event.line(), event.index()));
                owner.put(event.address(), name);
                now.merge(name, event.bytes(), Long::sum);
            } else if (event.action() == TraceAction.FREE_REQUESTED) {
                String name = owner.remove(event.address());
                if (name != null) {
                    now.merge(name, -event.bytes(), Long::sum);
                }
            }
            if (states.get(i).allocated() >= shown[column]) {
                shown[column] = states.get(i).allocated();
                record(column, now);
            }
        }
        for (int c = filled + 1; c < columns; c++) {
            record(c, now);
        }
    }

    private void record(int column, Map<String, Long> now) {
        now.keySet().forEach(name -> groups.computeIfAbsent(name, n -> new long[columns]));
        groups.forEach((name, values) -> values[column] = now.getOrDefault(name, 0L));
    }
}
