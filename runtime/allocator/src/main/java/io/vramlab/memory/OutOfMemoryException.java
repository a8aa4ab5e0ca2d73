package io.vramlab.memory;

/**
 * A request that the device has no room for, even with the cache given back. The message is PyTorch's, byte for byte;
 * the figures in it are also to be had one by one (docs/allocator.md, "Out of memory"). Nothing that was in use has
 * been freed.
 */
public final class OutOfMemoryException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The largest request that is tried at all: requests of 2^60 bytes and more are refused at once. */
    static final long TOO_LARGE = 1L << 60;

    /**
     * What was asked for and what was true.
     *
     * @param device
     *            index of the device
     * @param requested
     *            bytes asked for
     * @param rounded
     *            bytes of the block that it would have been
     * @param segmentBytes
     *            bytes of the segment that was tried for: the figure in the message
     * @param limit
     *            the process's limit in bytes, 0 when there is none
     * @param allocated
     *            bytes handed out
     * @param reserved
     *            bytes held from the driver
     * @param privateFree
     *            free bytes cached in memory pools
     * @param deviceFree
     *            free bytes of the device
     * @param deviceTotal
     *            bytes of the device
     */
    record Figures(int device, long requested, long rounded, long segmentBytes, long limit, long allocated,
            long reserved, long privateFree, long deviceFree, long deviceTotal) {
    }

    private final transient Figures figures;

    OutOfMemoryException(final Figures figures, final String processInfo) {
        super(message(figures, processInfo));
        this.figures = figures;
    }

    private OutOfMemoryException(final String message, final Figures figures) {
        super(message);
        this.figures = figures;
    }

    static OutOfMemoryException moreThanOneExabyte(final int device, final long requested) {
        return new OutOfMemoryException("CUDA out of memory. Tried to allocate more than 1EB memory.",
                new Figures(device, requested, requested, requested, 0, 0, 0, 0, 0, 0));
    }

    /** {@return index of the device} */
    public int device() {
        return figures.device;
    }

    /** {@return bytes asked for} */
    public long requested() {
        return figures.requested;
    }

    /** {@return bytes of the block that the request would have become} */
    public long rounded() {
        return figures.rounded;
    }

    /** {@return bytes of the segment that was tried for: the figure in the message} */
    public long segmentBytes() {
        return figures.segmentBytes;
    }

    /** {@return the process's limit in bytes, 0 when there is none} */
    public long limit() {
        return figures.limit;
    }

    /** {@return bytes handed out when the request failed} */
    public long allocated() {
        return figures.allocated;
    }

    /** {@return bytes held from the driver when the request failed} */
    public long reserved() {
        return figures.reserved;
    }

    /** {@return free bytes of the device when the request failed} */
    public long deviceFree() {
        return figures.deviceFree;
    }

    /** {@return bytes of the device; 0 if more than 1 EiB was asked for, when nothing was looked at} */
    public long deviceTotal() {
        return figures.deviceTotal;
    }

    private static String message(final Figures f, final String processInfo) {
        final String allowed = f.limit == 0 ? "" : Sizes.text(f.limit) + " allowed; ";
        final String inPools = f.privateFree == 0
                ? ""
                : "with " + Sizes.text(f.privateFree) + " allocated in private pools (e.g., CUDA Graphs), ";
        return "CUDA out of memory. Tried to allocate " + Sizes.text(f.segmentBytes) + ". GPU " + f.device
                + " has a total capacity of " + Sizes.text(f.deviceTotal) + " of which " + Sizes.text(f.deviceFree)
                + " is free. " + processInfo + allowed + "Of the allocated memory "
                + Sizes.text(f.allocated + f.privateFree) + " is allocated by PyTorch, " + inPools + "and "
                + Sizes.text(f.reserved - f.allocated - f.privateFree) + " is reserved by PyTorch but unallocated."
                + " If reserved but unallocated memory is large try setting"
                + " PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation."
                + "  See documentation for Memory Management "
                + " (https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)";
    }
}
