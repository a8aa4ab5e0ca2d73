package io.vramlab.nn;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The paddings of one to three dimensions. */
final class Sides {

    private Sides() {
    }

    static long[] of(long[] given, int dims) {
        if (given.length == 1) {
            long[] all = new long[2 * dims];
            Arrays.fill(all, given[0]);
            return all;
        }
        if (given.length != 2 * dims) {
            throw new IllegalArgumentException("A padding of " + dims + " dimensions was given " + given.length
                    + " numbers, " + Arrays.toString(given) + ": give 1 or " + 2 * dims + ".");
        }
        return given.clone();
    }

    static String text(long[] pads) {
        return Arrays.stream(pads).mapToObj(Long::toString).collect(Collectors.joining(", ", "(", ")"));
    }
}
