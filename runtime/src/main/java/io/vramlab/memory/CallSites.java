package io.vramlab.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Where in the user's code something happened. Stacks are interned: equal ones share one id, and a history entry keeps
 * four bytes.
 *
 * <p>
 * A user's frame is one whose file is a notebook cell ("In [7]"); on a stack without any, one outside VramLab and the
 * JDK.
 */
public final class CallSites {

    private static final int DEPTH = 64;
    private static final StackWalker WALKER = StackWalker
            .getInstance(Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE), 16);
    private static final Map<List<Frame>, Integer> IDS = new HashMap<>();
    private static final List<List<Frame>> SITES = new ArrayList<>(List.of(List.<Frame>of()));

    private static volatile String runningCell = "";

    private CallSites() {
    }

    /**
     * Says which cell runs now. A cell that repeats a declaration word for word runs the class of the cell before it, whose
     * file name the JVM keeps.
     *
     * @param cell
     *            the n of In [n]; 0 for none
     */
    public static void runningCell(final int cell) {
        runningCell = cell > 0 ? "In [" + cell + "]" : "";
    }

    /** The id of the user's stack now; 0 when no frame of it is the user's. */
    public static int current() {
        return intern(WALKER.walk(CallSites::userFrames));
    }

    /**
     * The user's innermost line now, for instance {@code In [7]:3}; empty when no frame is the user's. Looks no further
     * than that line: some microseconds.
     */
    public static String line() {
        return WALKER.walk(CallSites::innermost);
    }

    /** The frames of a site, innermost first; empty for 0 and unknown ids. */
    public static List<Frame> frames(final int site) {
        synchronized (IDS) {
            return site >= 0 && site < SITES.size() ? SITES.get(site) : List.of();
        }
    }

    /** The id of a stack, innermost frame first. */
    public static int intern(final List<Frame> frames) {
        if (frames.isEmpty()) {
            return 0;
        }
        synchronized (IDS) {
            return IDS.computeIfAbsent(frames, f -> {
                SITES.add(List.copyOf(f));
                return SITES.size() - 1;
            });
        }
    }

    private static List<Frame> userFrames(final Stream<StackWalker.StackFrame> stack) {
        final List<Frame> cells = new ArrayList<>();
        final List<Frame> others = new ArrayList<>();
        for (final Iterator<StackWalker.StackFrame> i = stack.iterator(); i.hasNext();) {
            final StackWalker.StackFrame frame = i.next();
            switch (Origin.of(frame)) {
                case CELL -> add(cells, frame);
                case OTHER -> add(others, frame);
                case OURS -> {
                    // and the JDK's: nothing that a user wrote
                }
            }
        }
        return cells.isEmpty() ? others : cells;
    }

    private static String innermost(final Stream<StackWalker.StackFrame> stack) {
        StackWalker.StackFrame other = null;
        for (final Iterator<StackWalker.StackFrame> i = stack.iterator(); i.hasNext();) {
            final StackWalker.StackFrame frame = i.next();
            final Origin origin = Origin.of(frame);
            if (origin == Origin.CELL) {
                return line(frame);
            }
            other = origin == Origin.OTHER && other == null ? frame : other;
        }
        return other == null ? "" : line(other);
    }

    private static String line(final StackWalker.StackFrame frame) {
        return file(frame) + ":" + Math.max(0, frame.getLineNumber());
    }

    private static void add(final List<Frame> frames, final StackWalker.StackFrame frame) {
        if (frames.size() < DEPTH) {
            frames.add(new Frame(file(frame), Math.max(0, frame.getLineNumber()),
                    isCellItself(frame) ? Frame.CELL : frame.getMethodName()));
        }
    }

    private static String file(final StackWalker.StackFrame frame) {
        final String file = frame.getFileName();
        if (file == null) {
            return frame.getClassName();
        }
        return isCellItself(frame) && !runningCell.isEmpty() ? runningCell : file;
    }

    /** JShell puts a cell's statements into a method of that name. */
    private static boolean isCellItself(final StackWalker.StackFrame frame) {
        return Origin.of(frame) == Origin.CELL && frame.getMethodName().startsWith("do_it$");
    }

    /** Whose code a class is. Found once per class: the file of a frame is dear to ask for. */
    private enum Origin {
        CELL, OTHER, OURS;

        private static final ClassValue<AtomicReference<Origin>> KNOWN = new ClassValue<>() {
            @Override
            protected AtomicReference<Origin> computeValue(final Class<?> type) {
                return new AtomicReference<>();
            }
        };

        static Origin of(final StackWalker.StackFrame frame) {
            final AtomicReference<Origin> known = KNOWN.get(frame.getDeclaringClass());
            Origin origin = known.getPlain();
            if (origin == null) {
                final String file = frame.getFileName();
                final boolean isCell = file != null && file.startsWith("In [");
                origin = isCell ? CELL : isOurs(frame.getClassName()) ? OURS : OTHER;
                known.setPlain(origin);
            }
            return origin;
        }

        private static boolean isOurs(final String type) {
            return type.startsWith("io.vramlab.") || type.startsWith("java.") || type.startsWith("jdk.")
                    || type.startsWith("javax.") || type.startsWith("sun.") || type.startsWith("com.sun.");
        }
    }
}
