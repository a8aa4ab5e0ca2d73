package io.vramlab.magics.oom;

import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.BlockState;
import io.vramlab.memory.SegmentInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Neighbouring blocks of one segment that would serve a request together.
 *
 * @param segment
 *            where
 * @param bytes
 *            of all of them
 * @param inTheWay
 *            those in use
 */
public record Hole(SegmentInfo segment, long bytes, List<BlockInfo> inTheWay) {

    /** Bytes in use that stand in the way. */
    public long cost() {
        return inTheWay.stream().mapToLong(BlockInfo::size).sum();
    }

    /** The one with the fewest bytes in the way; empty when no segment of that stream is large enough. */
    public static Optional<Hole> best(List<SegmentInfo> segments, long bytes, long stream, boolean small) {
        Hole best = null;
        for (SegmentInfo segment : segments) {
            if (segment.totalSize() >= bytes && segment.stream() == stream && segment.small() == small) {
                Hole hole = best(segment, bytes);
                if (best == null || hole.cost() < best.cost()) {
                    best = hole;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private static Hole best(SegmentInfo segment, long bytes) {
        List<BlockInfo> blocks = segment.blocks();
        Hole best = null;
        int from = 0;
        long window = 0;
        for (int to = 0; to < blocks.size(); to++) {
            window += blocks.get(to).size();
            while (window - blocks.get(from).size() >= bytes) {
                window -= blocks.get(from++).size();
            }
            if (window >= bytes) {
                List<BlockInfo> used = new ArrayList<>();
                blocks.subList(from, to + 1).stream().filter(b -> b.state() != BlockState.INACTIVE).forEach(used::add);
                Hole hole = new Hole(segment, window, used);
                best = best == null || hole.cost() < best.cost() ? hole : best;
            }
        }
        return best;
    }
}
