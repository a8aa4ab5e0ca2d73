package io.vramlab.footprint;

import java.util.Arrays;

/** Where a table tells of a layer, by the layer's text; of the texts themselves nothing is made until one is asked for. */
final class LayerIndex {

    private final int mask;
    /** In a place that the text's hash leads to, or behind it: where its bytes begin among all, and how many they are. */
    private final int[] from;
    private final int[] length;
    private final int[] series;
    private final int[] labels;
    private byte[] names = new byte[1 << 16];
    private int end;

    LayerIndex(int layers) {
        int places = Integer.highestOneBit(Math.max(1, layers)) * 4;
        mask = places - 1;
        from = new int[places];
        length = new int[places];
        series = new int[places];
        labels = new int[places];
    }

    /** Adds one, the first so many bytes of {@code name}. */
    void put(byte[] name, int count, int itsSeries, int itsLabels) {
        int place = hash(name, count) & mask;
        while (length[place] > 0) {
            place = place + 1 & mask;
        }
        if (names.length - end < count) {
            names = Arrays.copyOf(names, 2 * names.length);
        }
        System.arraycopy(name, 0, names, end, count);
        from[place] = end;
        length[place] = count;
        series[place] = itsSeries;
        labels[place] = itsLabels;
        end += count;
    }

    /** The place of a layer, less than 0 where it is not known. */
    int find(byte[] name) {
        int place = hash(name, name.length) & mask;
        while (length[place] > 0) {
            if (Arrays.equals(names, from[place], from[place] + length[place], name, 0, name.length)) {
                return place;
            }
            place = place + 1 & mask;
        }
        return -1;
    }

    int series(int place) {
        return series[place];
    }

    int labels(int place) {
        return labels[place];
    }

    private static int hash(byte[] name, int count) {
        int hash = 0;
        for (int i = 0; i < count; i++) {
            hash = 31 * hash + name[i];
        }
        return hash * 0x9e3779b9 >>> 8;
    }
}
