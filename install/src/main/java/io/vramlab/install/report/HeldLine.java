package io.vramlab.install.report;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.vramlab.install.diagnosis.Evidence;
import io.vramlab.install.story.Place;
import io.vramlab.memory.Frame;

/**
 * A line of the user's that memory was held of when it mattered.
 *
 * @param line as {@code file:line}
 * @param source what stands there; empty where the file is not there
 * @param blocks how many blocks
 * @param bytes how much
 */
record HeldLine(String line, String source, int blocks, long bytes) {

    private static final int MOST = 8;

    /** The lines that most was held of, the largest first. */
    static List<HeldLine> of(Evidence e) {
        Map<String, HeldLine> lines = new HashMap<>();
        for (int block : e.alive()) {
            Place place = e.place(block);
            if (place.isKnown()) {
                Frame frame = place.user().getFirst();
                lines.merge(place.inner(),
                        new HeldLine(place.inner(), e.program().line(frame), 1, e.lives().bytes(block)),
                        (a, b) -> new HeldLine(a.line, a.source, a.blocks + b.blocks, a.bytes + b.bytes));
            }
        }
        return lines.values().stream()
                .sorted(Comparator.comparingLong(HeldLine::bytes).reversed().thenComparing(HeldLine::line)).limit(MOST)
                .toList();
    }
}
