package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.vramlab.install.story.Moment;

/**
 * Segments of which a part is in use when a request fails, and what holds them: the rest of them cannot be given back. (Segments of
 * which nothing is in use were given back before the request failed.)
 */
final class HeldSegments {

    /** Less free memory in a segment is rounding. */
    private static final long LEAST_FREE = 1 << 20;
    /** Of fewer holders the sizes tell nothing. */
    private static final int FEWEST = 4;
    /**
     * Of so many holders each size is another one, or none is: what pins has few sizes, again and again, and of sizes that vary hardly
     * two holders are alike. Of 38 failures by blocks that pin the part was 0.25 at the most, of sizes that vary most often above 0.8.
     */
    private static final double ALIKE = 0.4;
    /** Of the history, since what holds came: what the running turn made pins nothing. */
    private static final double LONG = 0.1;

    /**
     * A segment that is held.
     *
     * @param from its address
     * @param bytes of it
     * @param free bytes of it that are in nobody's use
     * @param holders the blocks in use within it
     */
    record Held(long from, long bytes, long free, Collection<Moment.Held> holders) {

        long largest() {
            return holders.stream().mapToLong(Moment.Held::bytes).max().orElse(0);
        }

        /** The event that made the oldest of its holders. */
        int oldest() {
            return holders.stream().mapToInt(Moment.Held::event).min().orElse(0);
        }

        /** The event that made the youngest of its holders. */
        int youngest() {
            return holders.stream().mapToInt(Moment.Held::event).max().orElse(0);
        }
    }

    private HeldSegments() {
    }

    /** The segments that are held at a moment. */
    static List<Held> of(Moment moment) {
        TreeMap<Long, Moment.Held> blocks = new TreeMap<>(moment.blocks());
        List<Held> held = new ArrayList<>();
        for (Map.Entry<Long, Long> segment : moment.segments().entrySet()) {
            Collection<Moment.Held> inside = blocks
                    .subMap(segment.getKey(), segment.getKey() + segment.getValue()).values();
            long used = inside.stream().mapToLong(Moment.Held::bytes).sum();
            if (used > 0 && segment.getValue() - used >= LEAST_FREE) {
                held.add(new Held(segment.getKey(), segment.getValue(), segment.getValue() - used, inside));
            }
        }
        return held;
    }

    /** How many different sizes holders have, of how many holders: 1 where no two are alike. */
    static double sizes(List<Held> held) {
        return (double) held.stream().flatMap(each -> each.holders().stream()).mapToLong(Moment.Held::bytes).distinct()
                .count() / Math.max(1, count(held));
    }

    static long count(List<Held> held) {
        return held.stream().mapToLong(each -> each.holders().size()).sum();
    }

    /** The part of the history, 0 to 1, that has passed since the oldest holder of a segment came; the mean over what is free. */
    static double age(List<Held> held, int at) {
        double sum = held.stream().mapToDouble(each -> (double) each.free() * (at - Math.max(0, each.oldest()))).sum();
        return sum / Math.max(1, at) / Math.max(1, held.stream().mapToLong(Held::free).sum());
    }

    /** Whether there are enough of them, for long enough, to tell what pins from sizes that vary. */
    static boolean areTold(List<Held> held, int at) {
        return count(held) >= FEWEST && (!areAlike(held) || age(held, at) >= LONG);
    }

    /** Whether their sizes are few: they pin what is free. */
    static boolean areAlike(List<Held> held) {
        return sizes(held) < ALIKE;
    }
}
