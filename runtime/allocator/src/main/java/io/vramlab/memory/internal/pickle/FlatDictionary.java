package io.vramlab.memory.internal.pickle;

/**
 * A dictionary of whole numbers, texts and what was told before, as a history has one for each event: its keys and values
 * in turn, the numbers without a box. It is used again for the next one.
 */
public final class FlatDictionary {

    /** More entries a flat dictionary does not have. */
    static final int MOST = 24;
    private static final Object NUMBER = new Object();

    private final String[] keys = new String[MOST];
    private final long[] numbers = new long[MOST];
    private final Object[] values = new Object[MOST];
    private int size;

    FlatDictionary() {
    }

    /** How many entries it has. */
    public int size() {
        return size;
    }

    /** The key of an entry, counted from 0. */
    public String key(final int at) {
        return keys[at];
    }

    /** Whether the value of an entry is a whole number. */
    public boolean isNumber(final int at) {
        return values[at] == NUMBER;
    }

    /** That number; 0 where the value is none. */
    public long number(final int at) {
        return numbers[at];
    }

    /** The value of an entry that is no number; what stands for one otherwise. */
    public Object value(final int at) {
        return values[at];
    }

    void clear() {
        size = 0;
    }

    void add(final String key, final long number) {
        keys[size] = key;
        numbers[size] = number;
        values[size++] = NUMBER;
    }

    void add(final String key, final Object value) {
        keys[size] = key;
        numbers[size] = 0;
        values[size++] = value;
    }
}
