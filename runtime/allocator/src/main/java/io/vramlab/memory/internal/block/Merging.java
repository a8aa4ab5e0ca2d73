package io.vramlab.memory.internal.block;

/** Joins free neighbours. */
public final class Merging {

    private final BlockRecycler recycler;

    public Merging(final BlockRecycler recycler) {
        this.recycler = recycler;
    }

    /**
     * Lets a block absorb a neighbour that is idle and mapped like it.
     *
     * @return the bytes absorbed, 0 when the neighbour stays
     */
    public long absorb(final Block block, final Block neighbour) {
        if (neighbour == null || !neighbour.isIdle() || neighbour.mapped != block.mapped) {
            return 0;
        }
        if (neighbour.mapped) {
            block.pool().remove(neighbour);
        } else {
            block.pool().unmapped.remove(neighbour);
        }
        final long absorbed = neighbour.size;
        if (neighbour == block.prev) {
            block.address = neighbour.address;
            block.splice(neighbour.prev, block.next);
        } else {
            block.next = neighbour.next;
            if (block.next != null) {
                block.next.prev = block;
            }
        }
        block.size += absorbed;
        recycler.give(neighbour);
        return absorbed;
    }
}
