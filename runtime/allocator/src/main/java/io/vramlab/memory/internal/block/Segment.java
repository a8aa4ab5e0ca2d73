package io.vramlab.memory.internal.block;

/** One range obtained from the driver: allocated whole, or reserved and mapped granule by granule (expandable). */
public final class Segment {

    public final long address;
    public final long size;
    public final long stream;
    public final BlockPool pool;
    /** Bytes mapped at a time; 0 for a segment that was allocated whole. */
    public final long granule;
    /** Call site of the allocation that made it, 0 when unknown. */
    public final int site;
    /** The free blocks of its pool and stream. */
    final FreeSet free;
    /** The block at the lowest address. */
    public Block first;
    /** Position in the list of segments. */
    public int index;

    public Segment(final long address, final long size, final long stream, final BlockPool pool, final long granule,
            final int site) {
        this.address = address;
        this.size = size;
        this.stream = stream;
        this.pool = pool;
        this.granule = granule;
        this.site = site;
        this.free = pool.of(stream);
    }

    public boolean isExpandable() {
        return granule != 0;
    }
}
