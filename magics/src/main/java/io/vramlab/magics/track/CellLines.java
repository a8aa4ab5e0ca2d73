package io.vramlab.magics.track;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Where in the user's cells the current thread is: the innermost frame that belongs to a cell, as a small number. Made to
 * be asked at every event: frames are recognised by class and byte-code index, and a stack-trace element, which is what
 * costs, is made once for each of them.
 */
public final class CellLines {

    /**
     * A line of a cell.
     *
     * @param cell
     *            the n of In [n]
     * @param line
     *            from 1
     */
    public record Line(int cell, int line) {

        /** As tables show it: {@code In [7]:12}. */
        public String text() {
            return "In [" + cell + "]:" + line;
        }
    }

    private record Place(Class<?> type, int byteCode, String method) {
    }

    /** Deeper stacks than this are recursions of the runtime or the kernel, with no cell near. */
    private static final int DEEPEST = 200;
    /** From the allocator to a cell's frame, for most operations. */
    private static final int USUAL_DEPTH = 16;
    private static final StackWalker WALKER = StackWalker
            .getInstance(Set.of(StackWalker.Option.RETAIN_CLASS_REFERENCE), USUAL_DEPTH);
    private static final Map<Place, Integer> PLACES = new ConcurrentHashMap<>();
    private static final Map<Line, Integer> IDS = new ConcurrentHashMap<>();
    private static final List<Line> LINES = new ArrayList<>();

    /** Cells' classes are never loaded by the loaders of the JDK and of VramLab. */
    private static final ClassLoader OURS = CellLines.class.getClassLoader();

    private CellLines() {
    }

    /** The number of the line; 0 when no frame is a cell's. */
    public static int current() {
        return WALKER.walk(CellLines::innermost);
    }

    private static int innermost(Stream<StackWalker.StackFrame> frames) {
        Iterator<StackWalker.StackFrame> all = frames.iterator();
        for (int depth = 0; depth < DEEPEST && all.hasNext(); depth++) {
            StackWalker.StackFrame frame = all.next();
            ClassLoader loader = frame.getDeclaringClass().getClassLoader();
            if (loader != OURS && loader != null) {
                int number = number(frame);
                if (number != 0) {
                    return number;
                }
            }
        }
        return 0;
    }

    private static int number(StackWalker.StackFrame frame) {
        Place place = new Place(frame.getDeclaringClass(), frame.getByteCodeIndex(), frame.getMethodName());
        Integer known = PLACES.get(place);
        if (known == null) {
            known = parse(frame.getFileName()).map(cell -> intern(new Line(cell, Math.max(0, frame.getLineNumber()))))
                    .orElse(0);
            PLACES.put(place, known);
        }
        return known;
    }

    private static Optional<Integer> parse(String file) {
        if (file == null || !file.startsWith("In [") || !file.endsWith("]")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Integer.parseInt(file.substring(4, file.length() - 1)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The number of a line. */
    static int intern(Line line) {
        return IDS.computeIfAbsent(line, l -> {
            synchronized (LINES) {
                LINES.add(l);
                return LINES.size();
            }
        });
    }

    /** The line of a number; empty for 0. */
    public static Optional<Line> line(int number) {
        synchronized (LINES) {
            return number > 0 && number <= LINES.size() ? Optional.of(LINES.get(number - 1)) : Optional.empty();
        }
    }
}
