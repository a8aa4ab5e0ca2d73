package io.vramlab.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Marks in time beside the history: the boundaries of notebook cells, which a snapshot shows as external annotations.
 * The oldest are dropped beyond {@value #MOST}.
 */
public final class MemoryAnnotations {

    private static final int MOST = 100_000;
    private static final Deque<Annotation> MARKS = new ArrayDeque<>();

    /**
     * One mark.
     *
     * @param name
     *            what begins or ends, for instance "In [3]"
     * @param start
     *            whether it begins
     * @param device
     *            index of the current device
     * @param timeMicros
     *            microseconds since 1970
     */
    public record Annotation(String name, boolean start, int device, long timeMicros) {
    }

    private MemoryAnnotations() {
    }

    /**
     * Something begins.
     *
     * @param name
     *            what begins, for instance "In [3]"
     * @param device
     *            index of the current device
     */
    public static void start(final String name, final int device) {
        add(new Annotation(name, true, device, MicrosClock.now()));
    }

    /**
     * Something ends.
     *
     * @param name
     *            what ends, as it began
     * @param device
     *            index of the current device
     */
    public static void end(final String name, final int device) {
        add(new Annotation(name, false, device, MicrosClock.now()));
    }

    /** {@return all marks, oldest first; a copy} */
    public static List<Annotation> all() {
        synchronized (MARKS) {
            return new ArrayList<>(MARKS);
        }
    }

    static void clear() {
        synchronized (MARKS) {
            MARKS.clear();
        }
    }

    private static void add(final Annotation mark) {
        synchronized (MARKS) {
            if (MARKS.size() == MOST) {
                MARKS.removeFirst();
            }
            MARKS.addLast(mark);
        }
    }
}
