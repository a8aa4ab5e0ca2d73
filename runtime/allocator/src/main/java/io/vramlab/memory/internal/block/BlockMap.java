package io.vramlab.memory.internal.block;

/**
 * Handed-out blocks by address: open addressing with linear probing, no boxing, no garbage but on growth. At most a third
 * of the table is filled, so that a probe seldom meets, and hence seldom reads, another block.
 */
public final class BlockMap {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Block[] blocks = new Block[256];
    private int shift = 64 - 8;
    private int size;

    int size() {
        return size;
    }

    public void put(final Block block) {
        if (3 * (size + 1) > blocks.length) {
            grow();
        }
        insert(block);
        size++;
    }

    /** The block at an address, or null. */
    public Block get(final long address) {
        return blocks[find(address)];
    }

    /** Removes and returns the block at an address, or null. */
    public Block remove(final long address) {
        final int at = find(address);
        final Block found = blocks[at];
        if (found != null) {
            closeGap(at);
            size--;
        }
        return found;
    }

    /** Where the block at an address is, or the empty place where it would be. */
    private int find(final long address) {
        final Block[] table = blocks;
        final int mask = table.length - 1;
        int i = slot(address);
        while (table[i] != null && table[i].address != address) {
            i = (i + 1) & mask;
        }
        return i;
    }

    /** Moves later members of the probe run back, so that no run is ever broken and no tombstones are needed. */
    private void closeGap(final int gap) {
        final Block[] table = blocks;
        final int mask = table.length - 1;
        int hole = gap;
        for (int j = (hole + 1) & mask; table[j] != null; j = (j + 1) & mask) {
            final int home = slot(table[j].address);
            if (((j - home) & mask) >= ((j - hole) & mask)) {
                table[hole] = table[j];
                hole = j;
            }
        }
        table[hole] = null;
    }

    private void insert(final Block block) {
        blocks[find(block.address)] = block;
    }

    private void grow() {
        final Block[] old = blocks;
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
