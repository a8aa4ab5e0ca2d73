package io.vramlab.memory;

import io.vramlab.device.Device;
import io.vramlab.memory.internal.block.PoolRoute;
import io.vramlab.memory.internal.block.PrivatePool;

/**
 * A pool of its own for some of a thread's allocations, as {@code torch.cuda.MemPool}: blocks made while it is in use
 * come from its segments and return to them.
 *
 * <pre>{@code
 * try (var pool = new MemPool(Device.current()); var use = pool.use()) {
 *     var t = Tensor.empty(1024, 1024);
 * }
 * }</pre>
 */
public final class MemPool implements AutoCloseable {

    private final CachingAllocator allocator;
    private final PrivatePool pool;
    private boolean closed;

    /** A region in which the thread that opened it allocates from the pool. */
    public interface Use extends AutoCloseable {

        @Override
        void close();
    }

    /**
     * A pool on a GPU, with neither option.
     *
     * @param device
     *            a GPU
     * @throws IllegalArgumentException
     *             if the device's memory is not cached: the CPU, or caching is off
     */
    public MemPool(final Device device) {
        this(caching(device), false, false);
    }

    /**
     * A pool on a GPU; see {@link #MemPool(CachingAllocator, boolean, boolean)}.
     *
     * @param device
     *            a GPU
     * @param useOnOom
     *            whether its free blocks serve others before memory runs out
     * @param noSplit
     *            whether its blocks stay whole
     * @throws IllegalArgumentException
     *             if the device's memory is not cached: the CPU, or caching is off
     */
    public MemPool(final Device device, final boolean useOnOom, final boolean noSplit) {
        this(caching(device), useOnOom, noSplit);
    }

    /**
     * A pool of an allocator.
     *
     * @param allocator
     *            whose segments the pool's will be
     * @param useOnOom
     *            whether its free blocks serve others before memory runs out
     * @param noSplit
     *            whether its blocks stay whole
     */
    public MemPool(final CachingAllocator allocator, final boolean useOnOom, final boolean noSplit) {
        this.allocator = allocator;
        this.pool = allocator.createPool(useOnOom, noSplit);
    }

    private static CachingAllocator caching(final Device device) {
        if (Allocators.of(device) instanceof CachingAllocator caching) {
            return caching;
        }
        throw new IllegalArgumentException("A memory pool was asked for on " + device
                + ", whose memory is not cached, so there are no pools. Use a GPU, and leave"
                + " PYTORCH_NO_CUDA_MEMORY_CACHING unset.");
    }

    /** {@return the pool's number, from 1 per allocator; PyTorch's id of the pool is (0, this)} */
    public long id() {
        return pool.id;
    }

    /**
     * Sends the calling thread's allocations here until the result is closed, on any thread.
     *
     * @return the region, to be closed
     * @throws IllegalStateException
     *             if the pool is closed
     */
    public Use use() {
        if (closed) {
            throw new IllegalStateException("Memory pool " + pool.id + " is closed. Open a new one.");
        }
        final PoolRoute route = new PoolRoute(Thread.currentThread(), pool);
        allocator.open(route);
        return new Use() {

            private boolean ended;

            @Override
            public void close() {
                if (!ended) {
                    ended = true;
                    allocator.close(route);
                }
            }
        };
    }

    /** Gives the pool up: its cached segments go back to the driver, those still in use when they are free. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            allocator.abandon(pool);
        }
    }
}
