package io.vramlab.memory.internal.block;

/** Keeps the objects of vanished blocks for the next ones. */
public final class BlockRecycler {

    private Block spare;

    /** A mapped, idle block with no neighbours. */
    public Block take(final Segment segment, final long address, final long size) {
        Block block = spare;
        if (block == null) {
            block = new Block();
        } else {
            spare = block.next;
        }
        block.address = address;
        block.size = size;
        block.requested = 0;
        block.segment = segment;
        block.prev = null;
        block.next = null;
        block.allocated = false;
        block.mapped = true;
        block.site = 0;
        return block;
    }

    /** Takes a block that nothing refers to any more. */
    public void give(final Block block) {
        block.prev = null;
        block.left = null;
        block.right = null;
        block.segment = null;
        block.next = spare;
        spare = block;
    }
}
