package io.vramlab.magics.track;

import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lines of cells as small numbers. The line of an event is that of the innermost frame of its call site that lies in a
 * cell; a site's line is found out once.
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

    private static final int NO_CELL = -1;
    private static final Map<Line, Integer> IDS = new ConcurrentHashMap<>();
    private static final List<Line> LINES = new ArrayList<>();
    /** By call site: 0 before it was asked for. */
    private static volatile int[] ofSites = new int[1024];

    private CellLines() {
    }

    /** The number of the line where the current thread is; 0 when no frame is a cell's. */
    public static int current() {
        return of(CallSites.innermostInCell());
    }

    /** The line of a call site; empty when no frame is a cell's. */
    public static Optional<Line> at(int site) {
        return site == 0 ? Optional.empty() : line(of(site));
    }

    /** The line of a call site as tables show it; empty when no frame is a cell's. */
    public static String text(int site) {
        return at(site).map(Line::text).orElse("");
    }

    /** The number of a call site's line; 0 when no frame is a cell's. */
    static int of(int site) {
        int[] known = ofSites;
        int line = site < known.length ? known[site] : 0;
        if (line == 0) {
            line = CallSites.frames(site).stream().findFirst().flatMap(CellLines::parse).map(CellLines::intern)
                    .orElse(NO_CELL);
            remember(site, line);
        }
        return Math.max(0, line);
    }

    private static synchronized void remember(int site, int line) {
        int[] grown = site < ofSites.length ? ofSites : Arrays.copyOf(ofSites, 2 * site);
        grown[site] = line;
        ofSites = grown;
    }

    private static Optional<Line> parse(Frame frame) {
        String file = frame.file();
        if (!file.startsWith("In [") || !file.endsWith("]")) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Line(Integer.parseInt(file.substring(4, file.length() - 1)), frame.line()));
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
