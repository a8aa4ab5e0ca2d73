package io.vramlab.device.internal.cpu.kernels.index;

import io.vramlab.device.Interruptible;
import java.util.Arrays;

/** Sorts long arrays in runs of some milliseconds each, which are then merged, so that an interrupt is noticed between. */
final class LongSort {

    private static final int RUN = 1 << 18;

    private LongSort() {
    }

    /** As {@link Arrays#sort(long[])}. */
    static void ascending(long[] values) {
        ascending(values, RUN);
    }

    /** With runs of another length. */
    static void ascending(long[] values, int run) {
        for (int at = 0; at < values.length; at = end(at, run, values)) {
            if (at > 0) {
                Interruptible.check();
            }
            Arrays.sort(values, at, end(at, run, values));
        }
        long[] from = values;
        long[] to = values.length > run ? new long[values.length] : values;
        for (int width = run; width < values.length; width = width > values.length / 2 ? values.length : 2 * width) {
            for (int at = 0; at < values.length;) {
                int middle = end(at, width, values);
                int last = end(middle, width, values);
                merge(from, at, middle, last, to);
                at = last;
            }
            long[] merged = to;
            to = from;
            from = merged;
        }
        if (from != values) {
            Interruptible.check();
            System.arraycopy(from, 0, values, 0, values.length);
        }
    }

    private static int end(int at, int run, long[] values) {
        return at > values.length - run ? values.length : at + run;
    }

    private static void merge(long[] from, int first, int middle, int last, long[] to) {
        int left = first;
        int right = middle;
        for (int at = first; at < last; at++) {
            Interruptible.check(at);
            to[at] = right >= last || left < middle && from[left] <= from[right] ? from[left++] : from[right++];
        }
    }
}
