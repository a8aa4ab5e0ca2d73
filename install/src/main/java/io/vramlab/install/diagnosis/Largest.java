package io.vramlab.install.diagnosis;

import java.util.Arrays;

import io.vramlab.install.story.Lives;

/**
 * The largest among some blocks and the request that failed, and how they follow each other: scores of an attention come again and
 * again with smaller blocks of their layer in between, logits in a row and last of all.
 *
 * @param bytes of one, the largest
 * @param count how many there are, with the request
 * @param sum of them all
 * @param groups in how many rows they come
 * @param first how many of the blocks came before the first of them
 * @param after how many came after the last
 * @param last how many are in the last row
 */
public record Largest(long bytes, int count, long sum, int groups, int first, int after, int last) {

    /** Equal but for rows that were cut off, or half or twice as large, as another type makes the same tensor. */
    private static final double ALIKE = 0.85;
    /** So many blocks between two of the largest make these two rows ... */
    private static final int BETWEEN = 2;
    /** ... if they have so much of their size. */
    private static final int SLIGHT = 200;
    /** A mask has a byte for each value of four, and lies between what goes into a dropout and what comes out. */
    private static final int MASK = 4;

    static Largest of(Lives lives, int[] made, long asked) {
        long bytes = Math.max(asked, Arrays.stream(made).mapToLong(lives::bytes).max().orElse(0));
        int count = 0;
        long sum = 0;
        int groups = 0;
        int first = -1;
        int since = BETWEEN;
        int last = 0;
        for (int i = 0; i <= made.length; i++) {
            long size = i < made.length ? lives.bytes(made[i]) : asked;
            if (areAlike(size, bytes)) {
                count++;
                sum += size;
                groups += since >= BETWEEN ? 1 : 0;
                last = since >= BETWEEN ? 1 : last + 1;
                first = first < 0 ? i : first;
                since = 0;
            } else if (size > bytes / SLIGHT && i < made.length) {
                since++;
            }
        }
        return new Largest(bytes, count, sum, groups, Math.max(0, first), since, last);
    }

    /** Whether two sizes, in bytes, are a tensor's in one type or another, or but for rows that were cut off. */
    public static boolean areAlike(long a, long b) {
        return near(a, b) || near(2 * a, b) || near(a, 2 * b);
    }

    private static boolean near(long a, long b) {
        return a > 0 && b > 0 && Math.min(a, b) >= ALIKE * Math.max(a, b);
    }

    /** How much larger than the largest of what is not alike; a dropout's mask belongs to what it is a mask of. */
    double timesOthers(Lives lives, int[] made, long asked) {
        long next = 1;
        for (int i = 0; i < made.length; i++) {
            long size = lives.bytes(made[i]);
            long after = i + 1 < made.length ? lives.bytes(made[i + 1]) : asked;
            boolean mask = i > 0 && near(MASK * size, bytes) && areAlike(lives.bytes(made[i - 1]), bytes)
                    && areAlike(after, bytes);
            next = areAlike(size, bytes) || mask ? next : Math.max(next, size);
        }
        return (double) bytes / next;
    }
}
