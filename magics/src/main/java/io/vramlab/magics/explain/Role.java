package io.vramlab.magics.explain;

/** What a figure of a message is. */
public enum Role {
    /** What the program's allocator tried to get. */
    TRIED,
    /** Memory of the device. */
    CAPACITY,
    /** Of that, what the driver had left. */
    FREE,
    /** In use by tensors. */
    ALLOCATED,
    /** Held by the allocator and in use by nobody. */
    CACHED,
    /** Held by the allocator: in use or cached. */
    RESERVED,
    /** The most that the allocator may hold. */
    ALLOWED,
    /** Free or not, what is set aside for CUDA graphs and other private pools. */
    PRIVATE,
    /** All that this process holds on the device, the driver's own for it included. */
    THIS_PROCESS,
    /** What another process holds, or this one under another number. */
    OTHER_PROCESS,
    /** Part of what a compiled program needs. */
    PART,
    /** Anything else that is told. */
    TOLD
}
