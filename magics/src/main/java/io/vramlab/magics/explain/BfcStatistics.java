package io.vramlab.magics.explain;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The statistics that the BFC allocator of TensorFlow and XLA logs beside a failure. */
final class BfcStatistics {

    static final String LARGEST_FREE = "largest free block";

    private static final Pattern STATS = Pattern.compile("\\bLimit: (" + Amount.PATTERN + "|\\d+) InUse: ("
            + Amount.PATTERN + "|\\d+) MaxInUse: (" + Amount.PATTERN + "|\\d+) NumAllocs: (\\d+) MaxAllocSize: ("
            + Amount.PATTERN + "|\\d+)(?: Reserved: (?:" + Amount.PATTERN + "|\\d+) PeakReserved: (?:" + Amount.PATTERN
            + "|\\d+) LargestFreeBlock: (" + Amount.PATTERN + "|\\d+))?");
    private static final int NEAR = 4000;

    private BfcStatistics() {
    }

    /** Those nearest before a message, else the first behind it; none where none are near. */
    static List<Figure> near(String text, int from, int to) {
        Matcher stats = STATS.matcher(text).region(Math.max(0, from - NEAR), Math.min(text.length(), to + NEAR));
        List<Figure> figures = new ArrayList<>();
        while (stats.find()) {
            if (figures.isEmpty() || stats.start() < from) {
                figures = figures(stats);
            }
        }
        return figures;
    }

    private static List<Figure> figures(Matcher stats) {
        List<Figure> figures = new ArrayList<>();
        figures.add(figure(Role.ALLOWED, "limit", stats.group(1),
                "the pool's size: what the program took from the device, or may take"));
        figures.add(figure(Role.ALLOCATED, "in use", stats.group(2), "of the pool, in buffers that are alive"));
        figures.add(figure(Role.TOLD, "most in use", stats.group(3), "the most that was ever in use"));
        figures.add(figure(Role.TOLD, "largest buffer", stats.group(5), "the largest that was ever handed out"));
        if (stats.group(6) != null && Amount.parse(stats.group(6)).orElseThrow().bytes() > 0) {
            figures.add(figure(Role.TOLD, LARGEST_FREE, stats.group(6), "the largest hole in the pool"));
        }
        return figures;
    }

    private static Figure figure(Role role, String name, String text, String meaning) {
        return new Figure(role, name, Amount.parse(text).orElseThrow(), meaning);
    }
}
