package io.vramlab.memory;

import io.vramlab.memory.internal.pickle.Condenser;
import io.vramlab.memory.internal.pickle.FlatDictionary;
import java.util.AbstractList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

/** Makes history entries and frames of a snapshot's dictionaries while it is read. */
final class HistoryCondenser implements Condenser {

    /** Keys of a frame, and some more that a later version may have. */
    private static final int MOST_OF_FRAME = 4;

    private final Map<Frame, Frame> frames = new HashMap<>();
    private final Map<Stack, Told> sites = new HashMap<>();

    /** A stack that was told before: its frames, and the site that they are. */
    private static final class Told extends AbstractList<Frame> implements RandomAccess {

        private final List<Frame> frames;
        private final int site;

        Told(final List<Frame> frames) {
            this.frames = List.copyOf(frames);
            site = CallSites.intern(this.frames);
        }

        @Override
        public Frame get(final int index) {
            return frames.get(index);
        }

        @Override
        public int size() {
            return frames.size();
        }
    }

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
        if (items.size() <= 2 * MOST_OF_FRAME && value(items, "filename") instanceof String file
                && value(items, "name") instanceof String name) {
            return frame(file, value(items, "line") instanceof final Long line ? line(line) : 0, name);
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
    public Object flat(final FlatDictionary dictionary) {
        String action = null;
        String metadata = "";
        String file = null;
        String name = null;
        Object frames = null;
        int size = -1;
        int address = -1;
        int free = -1;
        int line = -1;
        long stream = 0;
        long time = 0;
        // the first of two equal keys counts
        for (int i = dictionary.size() - 1; i >= 0; i--) {
            final String text = dictionary.value(i) instanceof final String words ? words : null;
            switch (dictionary.key(i)) {
                case "action" -> action = text;
                case "user_metadata" -> metadata = text == null ? "" : text;
                case "filename" -> file = text;
                case "name" -> name = text;
                case "frames" -> frames = dictionary.value(i);
                case "size" -> size = dictionary.isNumber(i) ? i : -1;
                case "addr" -> address = i;
                case "device_free" -> free = i;
                case "line" -> line = dictionary.isNumber(i) ? i : -1;
                case "stream" -> stream = dictionary.number(i);
                case "time_us" -> time = dictionary.number(i);
                default -> {
                    // of another version, or not needed
                }
            }
        }
        if (action != null && size >= 0) {
            final TraceAction known = TraceAction.of(action);
            final int where = known == TraceAction.OOM ? free : address;
            final boolean isWhole = where >= 0 ? dictionary.isNumber(where) : known == TraceAction.OOM;
            return known != null && isWhole
                    ? new TraceEntry(known, where < 0 ? 0 : dictionary.number(where), dictionary.number(size), stream,
                            time, metadata, site(frames))
                    : null;
        }
        return dictionary.size() <= MOST_OF_FRAME && file != null && name != null
                ? frame(file, line < 0 ? 0 : line(dictionary.number(line)), name)
                : null;
    }

    private Frame frame(final String file, final int line, final String name) {
        final Frame frame = new Frame(file, line, name);
        final Frame same = frames.putIfAbsent(frame, frame);
        return same == null ? frame : same;
    }

    @Override
    public Object list(final List<Object> list) {
        return areFrames(list) ? told(list) : list;
    }

    @Override
    public boolean isHeldApart(final Object item) {
        return item instanceof TraceEntry;
    }

    @Override
    public List<Object> holderOf(final Object first) {
        return first instanceof TraceEntry ? new HistoryColumns() : null;
    }

    private int site(final Object frames) {
        if (frames instanceof final Told told) {
            return told.site;
        }
        return frames instanceof final List<?> list && areFrames(list) ? told(list).site : 0;
    }

    @SuppressWarnings("unchecked")
    private Told told(final List<?> frames) {
        final List<Frame> own = (List<Frame>) frames;
        final Told known = sites.get(new Stack(own));
        if (known != null) {
            return known;
        }
        final Told told = new Told(own);
        sites.put(new Stack(told.frames), told);
        return told;
    }

    private static boolean areFrames(final List<?> list) {
        for (final Object each : list) {
            if (!(each instanceof Frame)) {
                return false;
            }
        }
        return !list.isEmpty();
    }

    private static long number(final Object value) {
        return value instanceof Long number ? number : 0;
    }

    /** PyTorch writes 2^64 - 1 for a line that it does not know. */
    private static int line(final long line) {
        return line < 0 || line > Integer.MAX_VALUE ? 0 : (int) line;
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
