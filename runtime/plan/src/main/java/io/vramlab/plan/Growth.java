package io.vramlab.plan;

import io.vramlab.memory.Sizes;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/**
 * The largest size that fits, from recordings of one program with several sizes of its batch or its sequences. Each recording is
 * replayed; between and beyond them peak reserved memory is taken for a straight line through the two largest. That
 * holds for a batch; what grows with the square of a sequence is underestimated beyond the largest.
 *
 * @param largest
 *            the largest size that fits, by the line; 0 where not even the smallest does
 * @param replayed
 *            the largest recorded size that fits, 0 for none
 * @param perOne
 *            bytes for one more
 */
public record Growth(long largest, long replayed, double perOne) {

    /**
     * Finds it.
     *
     * @param plans
     *            two or more, by size, on one device under one setting
     * @throws IllegalArgumentException
     *             if there are fewer, or memory does not grow
     */
    public static Growth of(SortedMap<Long, Plan> plans) {
        if (plans.size() < 2) {
            throw new IllegalArgumentException("One size was recorded. A line needs two: record the program with "
                    + "another size of its batch or its sequences as well.");
        }
        List<Long> sizes = List.copyOf(plans.keySet());
        long above = sizes.getLast();
        long below = sizes.get(sizes.size() - 2);
        Plan last = plans.get(above);
        double perOne = (double) (last.highestReserved() - plans.get(below).highestReserved()) / (above - below);
        if (perOne <= 0) {
            throw new IllegalArgumentException(String.format(Locale.ROOT,
                    "Size %,d reserves %s and size %,d %s: memory does not grow with it. Give each recording its own size, in order.",
                    below, Sizes.both(plans.get(below).highestReserved()), above, Sizes.both(last.highestReserved())));
        }
        long replayed = sizes.stream().filter(size -> plans.get(size).fits()).reduce(0L, Math::max);
        long room = last.room();
        long largest = (long) Math.floor(above + (room - last.highestReserved()) / perOne);
        return new Growth(Math.max(largest, replayed), replayed, perOne);
    }

    /** A sentence for people. */
    public String text() {
        return String.format(Locale.ROOT,
                "The largest size that fits is about %,d, by a straight line through the two largest recordings: %s for one more. "
                        + "The largest that was replayed and fits is %,d; record a size near %,d to be sure.",
                largest, Sizes.both(Math.round(perOne)), replayed, largest);
    }
}
