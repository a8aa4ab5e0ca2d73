package io.vramlab.memory;

import io.vramlab.device.DeviceMemory;
import io.vramlab.memory.internal.block.Block;
import io.vramlab.memory.internal.block.Merging;
import io.vramlab.memory.internal.block.PoolRoute;
import io.vramlab.memory.internal.block.PrivatePool;
import io.vramlab.memory.internal.block.Request;
import io.vramlab.memory.internal.block.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * PyTorch 2.11's caching allocator: the same blocks at the same offsets, the same statistics after every event, the
 * same history. See the package's page for its words and a drawing, and docs/allocator.md, "The path of a request".
 *
 * <p>
 * An allocation polls the pending frees, rounds the request, takes the smallest block of its stream that is large enough
 * (the lowest address among equals), else asks the driver for a segment, else gives cached segments back and asks again,
 * and splits what it got. One lock guards everything; the hot path makes no garbage.
 */
public final class CachingAllocator implements Allocator {

    private final ReentrantLock lock = new ReentrantLock();
    private final AllocatorState state;
    private final FreePath freePath;
    private final FoundBlock handOut;
    private final SegmentSource source;
    private final CacheRelease release;
    private final PoolRouting routing;
    /** Valid from {@link #find} until the lock is released, when it is the next call's: nobody may look at it after that. */
    private final Request request = new Request();
    private final CopyOnWriteArrayList<BooleanSupplier> pressure = new CopyOnWriteArrayList<>();
    private final long maxSplitSizeAtStart;
    private final long totalBytes;
    private final ProcessMemory processes;
    private long poolsMade;
    private volatile boolean strict;
    private long rescues;

    /**
     * An allocator over a device's memory.
     *
     * @param device
     *            index of the device, for messages and snapshots
     * @param memory
     *            where segments come from
     * @param events
     *            the device's streams
     * @param settings
     *            how to behave
     * @param processes
     *            who uses the device, for out-of-memory messages
     */
    public CachingAllocator(final int device, final DeviceMemory memory, final StreamEvents events,
            final AllocatorSettings settings, final ProcessMemory processes) {
        state = new AllocatorState(device, memory, events, settings);
        final Merging merging = new Merging(state.recycler);
        final ExpandableSegments expandable = new ExpandableSegments(state, merging);
        freePath = new FreePath(state, merging);
        handOut = new FoundBlock(state);
        source = new SegmentSource(state, expandable);
        release = new CacheRelease(state, source, expandable, freePath::complete);
        routing = new PoolRouting(state);
        maxSplitSizeAtStart = settings.maxSplitSize();
        totalBytes = memory.totalBytes();
        this.processes = processes;
        if (settings.perProcessMemoryFraction() < 1) {
            setMemoryFraction(settings.perProcessMemoryFraction());
        }
    }

    /**
     * An allocator with default settings on a device that this process has to itself.
     *
     * @param device
     *            index of the device, for messages and snapshots
     * @param memory
     *            where segments come from
     * @param events
     *            the device's streams
     */
    public CachingAllocator(final int device, final DeviceMemory memory, final StreamEvents events) {
        this(device, memory, events, AllocatorSettings.DEFAULT, ProcessMemory.soleUser(memory));
    }

    @Override
    public long allocate(final long bytes, final long stream) {
        return allocate(bytes, stream, 0);
    }

    @Override
    public long allocate(final long bytes, final long stream, final int known) {
        if (bytes <= 0 || bytes >= OutOfMemoryException.TOO_LARGE) {
            return refuseOrZero(bytes);
        }
        final int site = known == 0 && state.history.options().keepsSitesOfLiveBlocks() ? CallSites.current() : known;
        lock.lock();
        try {
            final Block block = find(bytes, stream, site);
            if (block != null) {
                return handOut.give(block, request).address;
            }
        } finally {
            lock.unlock();
        }
        return allocateUnderPressure(bytes, stream, site);
    }

    private long refuseOrZero(final long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("Cannot allocate " + bytes
                    + " bytes: sizes are never negative. Check the shape that the size was computed from.");
        }
        if (bytes > 0) {
            throw OutOfMemoryException.moreThanOneExabyte(state.device, bytes);
        }
        return 0;
    }

    /** Fills {@link #request} and finds a block for it, from the cache or the driver; null when there is none. */
    private Block find(final long bytes, final long stream, final int caller) {
        final int site = state.history.options().keepsSitesOfLiveBlocks() ? caller : 0;
        state.history.tick();
        final PrivatePool routed = state.routes.isEmpty() ? null : routing.poolOfCurrentThread();
        if (!state.pending.isEmpty() && state.routes.isEmpty()) {
            freePath.pollingSite(site);
            state.pending.poll(freePath::complete);
        }
        request.bytes = bytes;
        request.size = state.settings.roundedSize(bytes);
        request.stream = stream;
        request.site = site;
        request.caller = caller;
        final boolean small = request.size <= AllocatorSettings.SMALL_MAX;
        if (routed == null) {
            request.pool = small ? state.small : state.large;
        } else {
            request.pool = small ? routed.small : routed.large;
        }
        final Block cached = BestFit.take(state, request);
        return cached != null ? cached : obtain(site);
    }

    /** The slow path: a new segment, if need be in place of cached ones. */
    private Block obtain(final int site) {
        request.segmentBytes = state.settings.segmentSize(request.size);
        if (state.collectsGarbage()) {
            release.collectGarbage(site);
        }
        Block block = source.obtain(request, false);
        if (block == null && request.pool.owner == null) {
            block = routing.lastResort(request);
        }
        if (block == null && release.releaseEnough(request)) {
            block = source.obtain(request, false);
        }
        if (block == null && state.routes.isEmpty()) {
            freePath.pollingSite(site);
            release.releaseAll(site);
            block = source.obtain(request, true);
        }
        return block;
    }

    /** Lets the pressure callbacks free what they can, without the lock, before giving up. */
    private long allocateUnderPressure(final long bytes, final long stream, final int site) {
        boolean freed = false;
        for (final BooleanSupplier callback : pressure) {
            freed |= !strict && callback.getAsBoolean();
        }
        final OutOfMemoryException failure;
        final MemoryListener[] told;
        lock.lock();
        try {
            final Block block = freed ? find(bytes, stream, site) : null;
            if (block != null) {
                rescues++;
                return handOut.give(block, request).address;
            }
            failure = outOfMemory(bytes, stream, site);
            told = state.listeners;
        } finally {
            lock.unlock();
        }
        for (final MemoryListener listener : told) {
            listener.outOfMemory(failure, stream);
        }
        throw failure;
    }

    /** Records and counts a failure; {@link #request} may be another's by now. */
    private OutOfMemoryException outOfMemory(final long bytes, final long stream, final int site) {
        final long size = state.settings.roundedSize(bytes);
        final long free = state.memory.freeBytes();
        state.history.tick();
        state.history.record(TraceAction.OOM, free, size, stream, state.shown(site));
        state.stats.count(StatCounters.OOMS);
        long privateFree = 0;
        for (final Segment segment : state.segments) {
            for (Block b = segment.pool.owner == null ? null : segment.first; b != null; b = b.next) {
                privateFree += b.mapped && b.isIdle() ? b.size : 0;
            }
        }
        return new OutOfMemoryException(new OutOfMemoryException.Figures(state.device, bytes, size,
                state.settings.segmentSize(size), state.limit == Long.MAX_VALUE ? 0 : state.limit,
                state.stats.current(StatCounters.ALLOCATED_BYTES), state.stats.current(StatCounters.RESERVED_BYTES),
                privateFree, free, totalBytes), processes.sentences());
    }

    @Override
    public void free(final long address) {
        if (address == 0) {
            return;
        }
        final int site = state.history.options().keepsSitesOfFrees() ? CallSites.current() : 0;
        lock.lock();
        try {
            final Block block = state.handedOut.remove(address);
            if (block == null) {
                throw new IllegalArgumentException("invalid device pointer: 0x" + Long.toHexString(address));
            }
            state.history.tick();
            freePath.request(block, site);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void recordStream(final long address, final long stream) {
        exclusively(() -> {
            final Block block = address == 0 ? null : state.handedOut.get(address);
            if (block != null && block.stream() != stream) {
                block.addStreamUse(stream);
            }
        });
    }

    @Override
    public void emptyCache() {
        final int site = state.history.options().keepsSitesOfFrees() ? CallSites.current() : 0;
        exclusively(() -> {
            state.history.tick();
            freePath.pollingSite(site);
            if (state.routes.isEmpty()) {
                release.releaseAll(site);
            } else {
                release.releaseAbandonedPools(site);
            }
        });
    }

    @Override
    public MemoryStats stats() {
        return locked(current -> new MemoryStats(state.stats.values, maxSplitSizeAtStart));
    }

    @Override
    public void resetPeakMemoryStats() {
        exclusively(() -> state.stats.resetPeaks());
    }

    @Override
    public void resetAccumulatedMemoryStats() {
        exclusively(() -> state.stats.resetAccumulated());
    }

    @Override
    public void setMemoryFraction(final double fraction) {
        if (!(fraction >= 0 && fraction <= 1)) {
            throw new IllegalArgumentException("Invalid fraction value: " + fraction + ". Allowed range: 0~1");
        }
        setMemoryLimit(fraction < 1 ? (long) (fraction * totalBytes) : Long.MAX_VALUE);
    }

    /**
     * Limits what may be reserved, exactly.
     *
     * @param bytes
     *            the limit, {@link Long#MAX_VALUE} for none
     */
    public void setMemoryLimit(final long bytes) {
        exclusively(() -> state.limit = bytes);
    }

    @Override
    public double memoryFraction() {
        return locked(now -> now.limit == Long.MAX_VALUE ? 1 : (double) now.limit / totalBytes);
    }

    @Override
    public void onPressure(final BooleanSupplier callback) {
        pressure.addIfAbsent(callback);
    }

    /**
     * In strict mode an allocation fails exactly when PyTorch's would: pressure callbacks are not called.
     *
     * @param strict
     *            false by default
     */
    public void setStrict(final boolean strict) {
        this.strict = strict;
    }

    /** {@return how many allocations succeeded only because a pressure callback freed something; not among the 122} */
    public long rescuedAllocations() {
        return locked(current -> rescues);
    }

    /**
     * Changes the settings; blocks and segments stay as they are. The memory limit stays too.
     *
     * @param settings
     *            in force from the next request on
     */
    public void configure(final AllocatorSettings settings) {
        exclusively(() -> state.settings = settings);
    }

    /** {@return the settings now} */
    public AllocatorSettings settings() {
        return locked(current -> current.settings);
    }

    @Override
    public List<SegmentInfo> segments() {
        return locked(current -> SegmentView.of(state));
    }

    @Override
    public void addListener(final MemoryListener listener) {
        exclusively(() -> {
            state.listeners = Arrays.copyOf(state.listeners, state.listeners.length + 1);
            state.listeners[state.listeners.length - 1] = listener;
        });
    }

    @Override
    public void removeListener(final MemoryListener listener) {
        exclusively(() -> {
            final List<MemoryListener> rest = new ArrayList<>(List.of(state.listeners));
            rest.remove(listener);
            state.listeners = rest.toArray(MemoryListener[]::new);
        });
    }

    @Override
    public void recordHistory(final HistoryOptions options) {
        exclusively(() -> state.history.configure(options));
    }

    @Override
    public List<TraceEntry> history() {
        return locked(current -> state.history.entries());
    }

    PrivatePool createPool(final boolean useOnOom, final boolean noSplit) {
        lock.lock();
        try {
            final PrivatePool pool = new PrivatePool(++poolsMade, useOnOom, noSplit);
            state.privatePools.add(pool);
            return pool;
        } finally {
            lock.unlock();
        }
    }

    void open(final PoolRoute route) {
        exclusively(() -> {
            route.pool().useCount++;
            state.routes.add(route);
        });
    }

    void close(final PoolRoute route) {
        exclusively(() -> {
            state.routes.removeIf(open -> open == route);
            release(route.pool());
        });
    }

    void abandon(final PrivatePool pool) {
        exclusively(() -> release(pool));
    }

    private void release(final PrivatePool pool) {
        if (--pool.useCount == 0) {
            state.history.tick();
            release.releaseAbandonedPools(0);
        }
    }

    /**
     * Attaches a text to the history entries from now on; empty for none. PyTorch's
     * {@code torch._C._cuda_setMemoryMetadata}.
     *
     * @param text
     *            shown in snapshots as {@code user_metadata}
     */
    public void setMemoryMetadata(final String text) {
        exclusively(() -> state.history.metadata(text));
    }

    /** {@return bytes handed out now, without copying all statistics} */
    public long allocatedBytes() {
        return state.stats.current(StatCounters.ALLOCATED_BYTES);
    }

    /** {@return bytes held from the driver now, without copying all statistics} */
    public long reservedBytes() {
        return state.stats.current(StatCounters.RESERVED_BYTES);
    }

    /** Runs something while nothing can change. */
    <T> T locked(final java.util.function.Function<AllocatorState, T> action) {
        lock.lock();
        try {
            return action.apply(state);
        } finally {
            lock.unlock();
        }
    }

    private void exclusively(final Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }
}
