package io.vramlab.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
    private static final StackWalker WALKER = StackWalker.getInstance();
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
        return intern(WALKER.walk(frames -> userFrames(frames.toList())));
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

    private static List<Frame> userFrames(final List<StackWalker.StackFrame> stack) {
        final List<Frame> cells = new ArrayList<>();
        final List<Frame> others = new ArrayList<>();
        for (final StackWalker.StackFrame frame : stack) {
            final String file = frame.getFileName();
            if (file != null && file.startsWith("In [")) {
                add(cells, frame);
            } else if (!isOurs(frame.getClassName())) {
                add(others, frame);
            }
        }
        return cells.isEmpty() ? others : cells;
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
        return frame.getMethodName().startsWith("do_it$") && frame.getFileName() != null
                && frame.getFileName().startsWith("In [");
    }

    private static boolean isOurs(final String type) {
        return type.startsWith("io.vramlab.") || type.startsWith("java.") || type.startsWith("jdk.")
                || type.startsWith("javax.") || type.startsWith("sun.") || type.startsWith("com.sun.");
    }
}
