package io.vramlab.device;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The operations that a device was given since somebody last waited for it and found it well: a late error is of one of
 * these. Only the last few are kept; launching costs one small object, and one look at the stack while lines are asked
 * for. Written by several threads without a lock: at worst an operation is missing from a message.
 */
public final class PendingWork {

    private static final int KEPT = 64;
    private static final int SHOWN = 12;

    private static volatile Supplier<String> lines;

    private final Entry[] entries = new Entry[KEPT];
    private volatile int next;

    /** Of a device that was given nothing yet. */
    public PendingWork() {
        // nothing is pending
    }

    private record Entry(Object operation, String line, long stream, int number) {
    }

    /**
     * Says who knows the user's line that runs now, for instance {@code In [7]:3}.
     *
     * @param source
     *            answers an empty text when it does not know; null to keep operations without their lines
     */
    public static void lines(Supplier<String> source) {
        lines = source;
    }

    private static String line() {
        Supplier<String> source = lines;
        return source == null ? "" : source.get();
    }

    /**
     * Takes note of an operation.
     *
     * @param operation
     *            its name, or the constant of an enumeration that is
     * @param stream
     *            handle of the stream it was given to
     * @return the user's line; empty when nobody knows
     */
    public String launched(Object operation, long stream) {
        String line = line();
        int number = next;
        next = number + 1;
        entries[number & KEPT - 1] = new Entry(operation, line, stream, number);
        return line;
    }

    /** {@return how many operations are kept} */
    public int size() {
        int size = 0;
        for (Entry e : entries) {
            size += e == null ? 0 : 1;
        }
        return size;
    }

    /**
     * {@return where the work stands now: ask before waiting, and give the answer to {@link #done} after it went
     * well}
     *
     * <p>
     * Numbers grow by one per operation and wrap around.
     */
    public int mark() {
        return next;
    }

    /**
     * Everything up to the mark went well.
     *
     * @param mark
     *            what {@link #mark} said before waiting
     */
    public void done(int mark) {
        for (int i = 0; i < KEPT; i++) {
            Entry e = entries[i];
            if (e != null && e.number() - mark < 0) {
                entries[i] = null;
            }
        }
    }

    /**
     * One stream's work up to the mark went well.
     *
     * @param stream
     *            handle of the stream that was waited for
     * @param mark
     *            what {@link #mark} said before waiting
     */
    public void done(long stream, int mark) {
        for (int i = 0; i < KEPT; i++) {
            Entry e = entries[i];
            if (e != null && e.stream() == stream && e.number() - mark < 0) {
                entries[i] = null;
            }
        }
    }

    /**
     * {@return the lines, oldest first, each with its operations: {@code In [7]:3 (gather, add), In [7]:5 (relu)};
     * may be empty}
     */
    public String text() {
        Map<String, Set<String>> found = new LinkedHashMap<>();
        for (int i = 0; i < KEPT; i++) {
            Entry e = entries[next + i & KEPT - 1];
            if (e != null) {
                found.computeIfAbsent(e.line(), l -> new LinkedHashSet<>()).add(name(e.operation()));
            }
        }
        StringBuilder text = new StringBuilder();
        int shown = 0;
        for (Map.Entry<String, Set<String>> e : found.entrySet()) {
            if (shown++ == SHOWN) {
                return text + " and " + (found.size() - SHOWN) + " more lines";
            }
            String operations = String.join(", ", e.getValue());
            text.append(text.isEmpty() ? "" : ", ")
                    .append(e.getKey().isEmpty() ? operations : e.getKey() + " (" + operations + ")");
        }
        return text.toString();
    }

    /**
     * {@return the word for an operation in a message: an enumeration's constant in lower case, else its text}
     *
     * @param operation
     *            what {@link #launched} was told
     */
    public static String name(Object operation) {
        return operation instanceof Enum<?> e ? e.name().toLowerCase(Locale.ROOT) : operation.toString();
    }
}
