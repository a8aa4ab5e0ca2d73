package io.vramlab.plan;

import java.util.Arrays;

/** A script's steps, one after another. */
final class ScriptSteps {

    private static final int AT_FIRST = 1024;

    private byte[] kinds = new byte[AT_FIRST];
    private long[] blocks = new long[AT_FIRST];
    private long[] sizes = new long[AT_FIRST];
    private byte[] streams = new byte[AT_FIRST];
    private int[] events = new int[AT_FIRST];
    private int length;

    /**
     * Adds one.
     *
     * @param kind
     *            {@link Script#TAKE} and its like
     * @param block
     *            a storage, or a negative number for what an operation takes for itself
     */
    void add(byte kind, long block, long bytes, byte stream, int event) {
        makeRoom(1);
        kinds[length] = kind;
        blocks[length] = block;
        sizes[length] = bytes;
        streams[length] = stream;
        events[length++] = event;
    }

    /** Adds another script's step. */
    void add(ScriptSteps of, int i) {
        add(of.kinds[i], of.blocks[i], of.sizes[i], of.streams[i], of.events[i]);
    }

    /** Adds another script's steps from one on, up to another. */
    void add(ScriptSteps of, int from, int to) {
        int count = to - from;
        makeRoom(count);
        System.arraycopy(of.kinds, from, kinds, length, count);
        System.arraycopy(of.blocks, from, blocks, length, count);
        System.arraycopy(of.sizes, from, sizes, length, count);
        System.arraycopy(of.streams, from, streams, length, count);
        System.arraycopy(of.events, from, events, length, count);
        length += count;
    }

    private void makeRoom(int count) {
        if (length + count > kinds.length) {
            int more = Math.max(2 * kinds.length, length + count);
            kinds = Arrays.copyOf(kinds, more);
            blocks = Arrays.copyOf(blocks, more);
            sizes = Arrays.copyOf(sizes, more);
            streams = Arrays.copyOf(streams, more);
            events = Arrays.copyOf(events, more);
        }
    }

    int length() {
        return length;
    }

    byte kind(int i) {
        return kinds[i];
    }

    long block(int i) {
        return blocks[i];
    }

    long bytes(int i) {
        return sizes[i];
    }

    byte stream(int i) {
        return streams[i];
    }

    int event(int i) {
        return events[i];
    }

    /** Whether these take and give back the same, whichever events they belong to. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ScriptSteps that && length == that.length
                && Arrays.equals(sizes, 0, length, that.sizes, 0, length)
                && Arrays.equals(blocks, 0, length, that.blocks, 0, length)
                && Arrays.equals(kinds, 0, length, that.kinds, 0, length)
                && Arrays.equals(streams, 0, length, that.streams, 0, length);
    }

    @Override
    public int hashCode() {
        int hash = length;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + Long.hashCode(sizes[i]);
        }
        return hash;
    }
}
