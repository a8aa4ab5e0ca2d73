package io.vramlab.memory;

import java.util.List;

/**
 * One segment as a snapshot shows it; of an expandable segment, one contiguous mapped range.
 *
 * @param device
 *            index of the device
 * @param address
 *            first byte
 * @param totalSize
 *            bytes obtained from the driver
 * @param allocatedSize
 *            bytes of blocks handed out
 * @param activeSize
 *            bytes of blocks handed out or pending
 * @param requestedSize
 *            bytes that the active blocks' owners asked for
 * @param stream
 *            the stream it serves
 * @param small
 *            whether it belongs to the small pool
 * @param poolId
 *            0 for the default pools, k for the user's pool (0, k), -k for the pool (k, 0) of a captured CUDA graph
 * @param expandable
 *            whether it is part of an expandable segment
 * @param site
 *            call site of the allocation that made it, 0 when unknown
 * @param blocks
 *            its blocks by address; their sizes add up to {@code totalSize}
 */
public record SegmentInfo(int device, long address, long totalSize, long allocatedSize, long activeSize,
        long requestedSize, long stream, boolean small, long poolId, boolean expandable, int site,
        List<BlockInfo> blocks) {
}
