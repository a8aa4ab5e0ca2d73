package io.vramlab.memory;

/** Handed-out blocks by address: open addressing with linear probing, no boxing, no garbage but on growth. */
final class BlockMap {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long[] keys = new long[256];
    private Block[] blocks = new Block[256];
    private int shift = 64 - 8;
    private int size;

    int size() {
        return size;
    }

    void put(final Block block) {
        if (2 * (size + 1) > keys.length) {
            grow();
        }
        insert(block);
        size++;
    }

    Block get(final long address) {
        final long[] table = keys;
        final int mask = table.length - 1;
        for (int i = slot(address);; i = (i + 1) & mask) {
            final long key = table[i];
            if (key == address) {
                return blocks[i];
            }
            if (key == 0) {
                return null;
            }
        }
    }

    /** Removes and returns the block at an address, or null. */
    Block remove(final long address) {
        final long[] table = keys;
        final int mask = table.length - 1;
        int i = slot(address);
        while (table[i] != address) {
            if (table[i] == 0) {
                return null;
            }
            i = (i + 1) & mask;
        }
        final Block found = blocks[i];
        closeGap(i, mask);
        size--;
        return found;
    }

    /** Moves later members of the probe run back, so that no run is ever broken and no tombstones are needed. */
    private void closeGap(final int gap, final int mask) {
        int hole = gap;
        for (int j = (hole + 1) & mask; keys[j] != 0; j = (j + 1) & mask) {
            final int home = slot(keys[j]);
            if (((j - home) & mask) >= ((j - hole) & mask)) {
                keys[hole] = keys[j];
                blocks[hole] = blocks[j];
                hole = j;
            }
        }
        keys[hole] = 0;
        blocks[hole] = null;
    }

    private void insert(final Block block) {
        final int mask = keys.length - 1;
        int i = slot(block.address);
        while (keys[i] != 0) {
            i = (i + 1) & mask;
        }
        keys[i] = block.address;
        blocks[i] = block;
    }

    private void grow() {
        final Block[] old = blocks;
        keys = new long[2 * old.length];
        blocks = new Block[2 * old.length];
        shift--;
        for (final Block block : old) {
            if (block != null) {
                insert(block);
            }
        }
    }

    private int slot(final long address) {
        return (int) ((address * GOLDEN) >>> shift);
    }
}
