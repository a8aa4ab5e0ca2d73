package io.vramlab.memory.internal.block;

/** One request on its way through the allocator; one object, reused under the lock, filled anew for each. */
public final class Request {

    /** Bytes asked for. */
    public long bytes;
    /** Bytes of the block that serves it at least. */
    public long size;
    /** Bytes of the segment that it would need. */
    public long segmentBytes;
    public long stream;
    public BlockPool pool;
    /** Call site for the history, 0 when not recorded there. */
    public int site;
    /** Call site for listeners, 0 when not known. */
    public int caller;
}
