package io.vramlab.magics.track;

import io.vramlab.memory.TraceAction;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one line of a cell did. Its sums over all lines equal the allocator's totals. Bytes.
 *
 * @param line
 *            number of the line, see {@link CellLines}; 0 for what no cell's code did
 * @param allocations
 *            blocks handed out
 * @param allocated
 *            their bytes
 * @param freed
 *            bytes given back to the cache
 * @param peak
 *            the most allocated at once while this line was at work, the rest of the program included
 * @param acquired
 *            bytes that had to be obtained from the driver
 */
public record LineFigures(int line, long allocations, long allocated, long freed, long peak, long acquired) {

    /** What stayed. */
    public long net() {
        return allocated - freed;
    }

    /** Bytes that were served from the cache: all but what the new segments could serve. */
    public long fromPool() {
        return Math.max(0, allocated - acquired);
    }

    /** The figures of every line at work in a stretch of a log, by cell and line; line 0 comes last. */
    public static List<LineFigures> of(EventLog log, long from, long to) {
        Map<Integer, long[]> sums = new HashMap<>();
        log.replay(from, to, (event, state) -> {
            long[] sum = sums.computeIfAbsent(event.line(), l -> new long[5]);
            if (event.action() == TraceAction.ALLOC) {
                sum[0]++;
                sum[1] += event.bytes();
                sum[3] = Math.max(sum[3], state.allocated());
            } else if (event.action() == TraceAction.FREE_REQUESTED) {
                sum[2] += event.bytes();
                sum[3] = Math.max(sum[3], state.allocated() + event.bytes());
            } else if (event.action() == TraceAction.SEGMENT_ALLOC) {
                sum[4] += event.bytes();
            }
        });
        List<LineFigures> figures = new ArrayList<>();
        sums.forEach((line, s) -> figures.add(new LineFigures(line, s[0], s[1], s[2], s[3], s[4])));
        figures.sort(Comparator.comparing((LineFigures f) -> f.line == 0)
                .thenComparing(f -> CellLines.line(f.line).map(CellLines.Line::cell).orElse(0))
                .thenComparing(f -> CellLines.line(f.line).map(CellLines.Line::line).orElse(0)));
        return figures;
    }
}
