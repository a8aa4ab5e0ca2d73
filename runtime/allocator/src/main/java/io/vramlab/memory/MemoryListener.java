package io.vramlab.memory;

/**
 * Follows an allocator live. Every call but {@link #outOfMemory} comes under the allocator's lock, in the order of
 * events: be quick and do not call back. Sizes in bytes.
 */
public interface MemoryListener {

    /**
     * A block was handed out.
     *
     * @param address
     *            of its first byte
     * @param bytes
     *            of the block, rounded
     * @param requested
     *            bytes asked for
     * @param stream
     *            the stream that it was allocated for
     * @param site
     *            the call site if it is known, see {@link CallSites}; else 0
     */
    default void allocated(long address, long bytes, long requested, long stream, int site) {
    }

    /**
     * The owner of a block gave it up.
     *
     * @param address
     *            of its first byte
     * @param bytes
     *            of the block, rounded
     * @param requested
     *            bytes that were asked for
     * @param stream
     *            the stream that it was allocated for
     * @param site
     *            where the block was allocated, if the history keeps that; else 0
     */
    default void freed(long address, long bytes, long requested, long stream, int site) {
    }

    /**
     * A segment was obtained, or part of an expandable one mapped.
     *
     * @param address
     *            of the first byte
     * @param bytes
     *            obtained from the driver
     * @param stream
     *            the stream whose request wanted it
     */
    default void segmentAllocated(long address, long bytes, long stream) {
    }

    /**
     * A segment was given back, or part of an expandable one unmapped.
     *
     * @param address
     *            of the first byte
     * @param bytes
     *            given back to the driver
     * @param stream
     *            the stream that it was obtained for
     */
    default void segmentFreed(long address, long bytes, long stream) {
    }

    /**
     * A request failed for good; called without the lock, before the exception is thrown, so that the state of that
     * moment can be read.
     *
     * @param failure
     *            what will be thrown
     * @param stream
     *            the stream that the request was for
     */
    default void outOfMemory(OutOfMemoryException failure, long stream) {
    }
}
