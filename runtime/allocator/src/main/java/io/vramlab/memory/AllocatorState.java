package io.vramlab.memory;

import io.vramlab.device.DeviceMemory;
import io.vramlab.memory.internal.block.BlockMap;
import io.vramlab.memory.internal.block.BlockPool;
import io.vramlab.memory.internal.block.BlockRecycler;
import io.vramlab.memory.internal.block.PoolRoute;
import io.vramlab.memory.internal.block.PrivatePool;
import io.vramlab.memory.internal.block.Segment;
import java.util.ArrayList;
import java.util.List;

/** What the parts of one caching allocator share; guarded by its lock. */
final class AllocatorState {

    final int device;
    final DeviceMemory memory;
    final StreamEvents events;
    final StatCounters stats = new StatCounters();
    final MemoryHistory history = new MemoryHistory();
    final BlockRecycler recycler = new BlockRecycler();
    final BlockMap handedOut = new BlockMap();
    final PendingFrees pending;
    final BlockPool small = new BlockPool(true, null);
    final BlockPool large = new BlockPool(false, null);
    final List<PrivatePool> privatePools = new ArrayList<>();
    final List<PoolRoute> routes = new ArrayList<>();
    final List<Segment> segments = new ArrayList<>();
    MemoryListener[] listeners = {};
    AllocatorSettings settings;
    /** Bytes that may be reserved; {@link Long#MAX_VALUE} when there is no limit. */
    long limit = Long.MAX_VALUE;
    /** Bytes obtained from the driver and not given back. */
    long reserved;

    AllocatorState(final int device, final DeviceMemory memory, final StreamEvents events,
            final AllocatorSettings settings) {
        this.device = device;
        this.memory = memory;
        this.events = events;
        this.pending = new PendingFrees(events);
        this.settings = settings;
    }

    /** Age is kept and old segments are collected only under a limit. */
    boolean collectsGarbage() {
        return limit != Long.MAX_VALUE && settings.garbageCollectionThreshold() > 0;
    }

    boolean fits(final long bytes) {
        return limit == Long.MAX_VALUE || reserved + bytes <= limit;
    }

    void addSegment(final Segment segment) {
        segment.index = segments.size();
        segments.add(segment);
    }

    void removeSegment(final Segment segment) {
        final Segment last = segments.removeLast();
        if (last != segment) {
            segments.set(segment.index, last);
            last.index = segment.index;
        }
    }

    /** Accounts for memory that came from the driver, and records it. */
    void gained(final TraceAction action, final long address, final long bytes, final Segment segment,
            final int site) {
        reserved += bytes;
        stats.increase(StatCounters.RESERVED_BYTES, segment.pool.small, bytes);
        stats.count(StatCounters.DEVICE_ALLOC);
        history.record(action, address, bytes, segment.stream, shown(site));
        for (final MemoryListener listener : listeners) {
            listener.segmentAllocated(address, bytes, segment.stream);
        }
    }

    /** Accounts for memory that goes back to the driver, and records it. */
    void lost(final TraceAction action, final long address, final long bytes, final Segment segment, final int site) {
        reserved -= bytes;
        stats.decrease(StatCounters.RESERVED_BYTES, segment.pool.small, bytes);
        stats.count(StatCounters.DEVICE_FREE);
        history.record(action, address, bytes, segment.stream, shown(site));
        for (final MemoryListener listener : listeners) {
            listener.segmentFreed(address, bytes, segment.stream);
        }
    }

    /** The site that an entry of an allocation may show. */
    int shown(final int site) {
        return history.options().keepsSitesOfAllocations() ? site : 0;
    }
}
