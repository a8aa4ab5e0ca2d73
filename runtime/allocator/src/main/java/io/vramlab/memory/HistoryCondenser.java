package io.vramlab.memory;

import io.vramlab.memory.internal.pickle.Condenser;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes history entries and frames of a snapshot's dictionaries while it is read. */
final class HistoryCondenser implements Condenser {

    private final Map<Frame, Frame> frames = new HashMap<>();
    private final Map<Stack, Integer> sites = new HashMap<>();
    /** A stack is asked for twice in a row: by its entry, and for the pickle's memo. */
    private Object last;
    private int lastSite;

    /** A stack of frames of which equal ones are the same object here: told apart without looking into them. */
    private record Stack(List<Frame> frames) {

        @Override
        public boolean equals(final Object other) {
            if (!(other instanceof Stack stack) || stack.frames.size() != frames.size()) {
                return false;
            }
            for (int i = 0; i < frames.size(); i++) {
                if (frames.get(i) != stack.frames.get(i)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int hashCode() {
            // of some of them, from the innermost on: stacks that are told apart by none of these are few
            int hash = frames.size();
            for (int i = 0; i < frames.size(); i += 1 + i / 2) {
                hash = 31 * hash + System.identityHashCode(frames.get(i));
            }
            return hash;
        }
    }

    @Override
    public Object dictionary(final List<Object> items) {
        final Object action = value(items, "action");
        if (action instanceof String text && value(items, "size") instanceof Long size) {
            return entry(items, text, size);
        }
        if (items.size() <= 8 && value(items, "filename") instanceof String file
                && value(items, "name") instanceof String name) {
            final Frame frame = new Frame(file, line(value(items, "line")), name);
            final Frame same = frames.putIfAbsent(frame, frame);
            return same == null ? frame : same;
        }
        return null;
    }

    private Object entry(final List<Object> items, final String text, final long size) {
        final TraceAction action = TraceAction.of(text);
        final String where = action == TraceAction.OOM ? "device_free" : "addr";
        Object address = null;
        Object metadata = null;
        Object stream = null;
        Object time = null;
        Object own = null;
        // once over all of them: this is where most of the time of reading goes
        for (int i = items.size() - 2; i >= 0; i -= 2) {
            final Object value = items.get(i + 1);
            final String key = items.get(i) instanceof String name ? name : "";
            switch (key) {
                case "frames" -> own = value;
                case "stream" -> stream = value;
                case "time_us" -> time = value;
                case "user_metadata" -> metadata = value;
                default -> address = key.equals(where) ? value : address;
            }
        }
        if (action == null || address != null && !(address instanceof Long)
                || address == null && action != TraceAction.OOM) {
            return null; // told by who reads the whole
        }
        return new TraceEntry(action, address == null ? 0 : (Long) address, size, number(stream), number(time),
                metadata instanceof String words ? words : "", site(own));
    }

    @Override
    public Object list(final List<Object> list) {
        return list.isEmpty() || !(list.getFirst() instanceof Frame) ? list : CallSites.frames(site(list));
    }

    @Override
    public boolean isHeldApart(final Object item) {
        return item instanceof TraceEntry;
    }

    @Override
    public List<Object> holderOf(final Object first) {
        return first instanceof TraceEntry ? new HistoryColumns() : null;
    }

    @SuppressWarnings("unchecked")
    private int site(final Object frames) {
        if (frames == last && frames != null) {
            return lastSite;
        }
        if (!(frames instanceof List<?> list) || list.isEmpty() || !(list.getFirst() instanceof Frame)) {
            return 0;
        }
        final List<Frame> own = (List<Frame>) list;
        Integer site = sites.get(new Stack(own));
        if (site == null) {
            site = CallSites.intern(own);
            sites.put(new Stack(List.copyOf(own)), site);
        }
        last = frames;
        lastSite = site;
        return site;
    }

    private static long number(final Object value) {
        return value instanceof Long number ? number : 0;
    }

    private static int line(final Object value) {
        return value instanceof BigInteger || !(value instanceof Long line) || line < 0 || line > Integer.MAX_VALUE
                ? 0
                : line.intValue();
    }

    private static Object value(final List<Object> items, final String key) {
        for (int i = 0; i + 1 < items.size(); i += 2) {
            if (key.equals(items.get(i))) {
                return items.get(i + 1);
            }
        }
        return null;
    }
}
