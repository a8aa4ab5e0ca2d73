package io.vramlab.memory;

/** One request on its way through the allocator; one object, reused under the lock, filled anew for each. */
final class Request {

    /** Bytes asked for. */
    long bytes;
    /** Bytes of the block that serves it at least. */
    long size;
    /** Bytes of the segment that it would need. */
    long segmentBytes;
    long stream;
    BlockPool pool;
    /** Call site for the history, 0 when not recorded there. */
    int site;
    /** Call site for listeners, 0 when not known. */
    int caller;
}
