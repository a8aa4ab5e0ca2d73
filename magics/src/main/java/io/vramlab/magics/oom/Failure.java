package io.vramlab.magics.oom;

import io.vramlab.magics.live.LiveTensor;
import io.vramlab.device.Device;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.BlockState;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.memory.SegmentInfo;
import io.vramlab.tensor.LiveTensors;
import java.util.List;

/**
 * An allocation that failed, with the state of that moment: the cache had just been given back as far as it could be.
 *
 * @param device
 *            the GPU
 * @param error
 *            what was thrown
 * @param stream
 *            the stream that the request was for
 * @param cell
 *            number of the cell that ran
 * @param segments
 *            the layout
 * @param tensors
 *            what was alive
 * @param settings
 *            the allocator's settings
 * @param line
 *            the line that asked, see {@link io.vramlab.magics.track.CellLines}
 */
public record Failure(Device device, OutOfMemoryException error, long stream, int cell, List<SegmentInfo> segments,
        List<LiveTensors.Entry> tensors, AllocatorSettings settings, int line) {

    /** Bytes that may be reserved in all: the limit, or what the device had left and we held. */
    public long room() {
        return error.limit() > 0 ? Math.min(error.limit(), capacity()) : capacity();
    }

    /** Bytes that would be ours without a limit. */
    public long capacity() {
        return error.reserved() + error.deviceFree();
    }

    /** Whether a tensor was alive then: memory that was let go of since may be another one's by now. */
    public boolean had(LiveTensor now) {
        long newest = tensors.stream().mapToLong(LiveTensors.Entry::id).max().orElse(0);
        return tensors.stream().anyMatch(then -> then.address() == now.address() && then.device().equals(now.device())
                && (now.id() <= newest || now.id() == then.id()));
    }

    /** The largest free block in the cache, of any stream, in bytes. */
    public long largestFree() {
        return free().mapToLong(BlockInfo::size).max().orElse(0);
    }

    /** Free bytes in the cache. */
    public long freeInCache() {
        return free().mapToLong(BlockInfo::size).sum();
    }

    private java.util.stream.Stream<BlockInfo> free() {
        return segments.stream().flatMap(s -> s.blocks().stream()).filter(b -> b.state() == BlockState.INACTIVE);
    }
}
