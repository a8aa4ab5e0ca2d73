package io.vramlab.conformance.trace;

import io.vramlab.device.DeviceMemory;
import io.vramlab.memory.TraceAction;
import java.util.ArrayList;
import java.util.List;

/**
 * A driver that hands out a recording's addresses in their order, because ties between equal blocks go to the lower
 * address. It notes where what the allocator asks for differs from what was recorded.
 */
final class RecordedMemory implements DeviceMemory {

    private static final long GRANULE = 2L << 20;

    private final List<AllocatorTrace.Entry> gains = new ArrayList<>();
    private final long totalBytes;
    private int next;
    private long held;
    private String difference;

    RecordedMemory(final AllocatorTrace trace) {
        totalBytes = trace.deviceTotal();
        for (final AllocatorTrace.Entry entry : trace.entries()) {
            if (entry.action() == TraceAction.SEGMENT_ALLOC || entry.action() == TraceAction.SEGMENT_MAP) {
                gains.add(entry);
            }
        }
    }

    /** The first request that differs from the recording, or null. */
    String difference() {
        return difference;
    }

    @Override
    public long allocate(final long bytes) {
        final AllocatorTrace.Entry entry = take(TraceAction.SEGMENT_ALLOC, bytes);
        if (entry == null) {
            return OUT_OF_MEMORY;
        }
        held += bytes;
        return entry.address();
    }

    @Override
    public void free(final long address) {
        // the recording knows; sizes are compared through the statistics
    }

    @Override
    public long granularity() {
        return GRANULE;
    }

    /** A reservation is followed by its first mapping, which starts where it does. */
    @Override
    public long reserve(final long bytes) {
        return next < gains.size() ? gains.get(next).address() : OUT_OF_MEMORY;
    }

    @Override
    public boolean map(final long address, final long bytes) {
        final AllocatorTrace.Entry entry = take(TraceAction.SEGMENT_MAP, bytes);
        if (entry != null && entry.address() != address && difference == null) {
            difference = "mapped 0x" + Long.toHexString(address) + " where PyTorch mapped 0x"
                    + Long.toHexString(entry.address());
        }
        return entry != null;
    }

    @Override
    public void unmap(final long address, final long bytes) {
        // the recording knows; the history is compared
    }

    @Override
    public void release(final long address, final long bytes) {
        // reservations cost nothing here
    }

    @Override
    public long freeBytes() {
        return totalBytes - held;
    }

    @Override
    public long totalBytes() {
        return totalBytes;
    }

    private AllocatorTrace.Entry take(final TraceAction action, final long bytes) {
        if (next == gains.size() || bytes > totalBytes) {
            return null;
        }
        final AllocatorTrace.Entry entry = gains.get(next++);
        if ((entry.action() != action || entry.size() != bytes) && difference == null) {
            difference = action.text() + " of " + bytes + " bytes where PyTorch did " + entry.action().text() + " of "
                    + entry.size() + " bytes";
        }
        return entry;
    }
}
