package io.vramlab.memory.internal.pickle;

import java.util.Arrays;

/**
 * Lists by the numbers under which their items were stored: a stack that is told again is found by these, without
 * recalling its frames.
 */
final class Recalled {

    /** Lists that share a place; of those whose hashes were chosen to, the further ones are not kept. */
    private static final int MOST_PROBES = 32;

    private record Known(int[] items, Object list) {
    }

    private Known[] table = new Known[256];
    private int count;
    private int[] items = new int[64];
    private int size;
    private int hash;

    /** Begins a list. */
    void begin() {
        size = 0;
        hash = 0;
    }

    /** The next item of the list that was begun. */
    void add(final int item) {
        if (size == items.length) {
            items = Arrays.copyOf(items, 2 * size);
        }
        items[size++] = item;
        hash = 31 * hash + item;
    }

    /** How many items the list that was begun has. */
    int size() {
        return size;
    }

    /** One of its items. */
    int item(final int at) {
        return items[at];
    }

    /** What was put for these items, or null. */
    Object find() {
        final int place = place(items, size, hash);
        return place < 0 || table[place] == null ? null : table[place].list;
    }

    /** Keeps what stands for these items, which were not found. */
    void put(final Object list) {
        if (2 * count >= table.length) {
            final Known[] old = table;
            table = new Known[2 * old.length];
            for (final Known known : old) {
                final int moved = known == null ? -1 : place(known.items, known.items.length, hash(known.items));
                if (moved >= 0) {
                    table[moved] = known;
                }
            }
        }
        final int place = place(items, size, hash);
        if (place >= 0) {
            table[place] = new Known(Arrays.copyOf(items, size), list);
            count++;
        }
    }

    /** Forgets all, since an item's number stands for something else now. */
    void clear() {
        Arrays.fill(table, null);
        count = 0;
    }

    /** Where it is, or would be; -1 where too many others are in its way. */
    private int place(final int[] wanted, final int length, final int hashed) {
        for (int probe = 0; probe < MOST_PROBES; probe++) {
            final int place = (hashed ^ hashed >>> 15) + probe & table.length - 1;
            if (table[place] == null
                    || Arrays.equals(table[place].items, 0, table[place].items.length, wanted, 0, length)) {
                return place;
            }
        }
        return -1;
    }

    private static int hash(final int[] items) {
        int hash = 0;
        for (final int item : items) {
            hash = 31 * hash + item;
        }
        return hash;
    }
}
