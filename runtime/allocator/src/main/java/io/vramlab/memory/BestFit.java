package io.vramlab.memory;

import io.vramlab.memory.internal.block.Block;
import io.vramlab.memory.internal.block.BlockPool;
import io.vramlab.memory.internal.block.FreeSet;
import io.vramlab.memory.internal.block.Request;

/**
 * Finds the free block for a request and decides whether to split it: docs/allocator.md, "The search for a block" and
 * "Splitting".
 *
 * <p>
 * The words: a request's <em>size</em> is what was asked for, rounded up to 512 bytes. A free block <em>fits</em> when it
 * is at least as large, and <em>suits</em> when the setting {@code max_split_size_mb} lets it serve that size. The
 * <em>best</em> is the smallest that fits; of several, the one at the lowest address.
 *
 * <pre>
 *   free blocks of the stream, in the order of a {@link FreeSet}      a request of 3 MiB
 *   +------+   +-----------+   +--------------------------------+
 *   | 1 MiB|   |   4 MiB   |   |             16 MiB             |     takes the block of 4 MiB; 1 MiB would be left,
 *   +------+   +-----------+   +--------------------------------+     which is not more than 1 MiB: no split, 4 MiB
 *     short        best              also fits                        are handed out
 * </pre>
 *
 * <ol>
 * <li>Take the best block.</li>
 * <li>If it lies in an expandable segment: with {@code expandable_segments} on, go on while the next one is the smaller,
 * both counted with the room behind them that has no memory yet; off, go on to the first block of an ordinary
 * segment.</li>
 * <li>If it does not suit, there is none. No other is tried: a larger one would suit no better.</li>
 * <li>Else remove it from the free set. {@link #splits} tells the caller whether to keep its tail free.</li>
 * </ol>
 *
 * <p>
 * Best fit is not least fragmentation: it prefers a snug block in a segment that would otherwise become free, and it
 * never looks at how long a block's neighbours will live. It is what PyTorch does, and so what must be done here.
 */
final class BestFit {

    private BestFit() {
    }

    /** Takes the best block out of its pool, or returns null. */
    static Block take(final AllocatorState state, final Request request) {
        final BlockPool pool = request.pool;
        if (state.collectsGarbage()) {
            pool.searches++;
        }
        final FreeSet free = pool.of(request.stream);
        Block block = free.atLeast(request.size);
        if (block != null && block.segment.isExpandable()) {
            block = state.settings.expandableSegments() ? leastExpandable(free, block) : whole(free, block);
        }
        if (block == null || !suits(state.settings, block, request.size)) {
            return null;
        }
        free.remove(block);
        return block;
    }

    /**
     * Whether the tail of a block stays free. A small block is cut for 512 bytes, a large one only if more than 1 MiB is
     * left, and not at all from {@code max_split_size_mb} on: such blocks serve one request as a whole.
     */
    static boolean splits(final AllocatorSettings settings, final Block block, final Request request) {
        final BlockPool pool = block.pool();
        if (pool.owner != null && pool.owner.noSplit) {
            return false;
        }
        final long remaining = block.size - request.size;
        if (pool.small || settings.expandableSegments()) {
            return remaining >= AllocatorSettings.MIN_BLOCK;
        }
        return request.size < settings.splitLimit && remaining > AllocatorSettings.SMALL_MAX;
    }

    /** A large block is not spent on a small request, nor one much larger than asked on a large one. */
    private static boolean suits(final AllocatorSettings settings, final Block block, final long size) {
        if (size < settings.splitLimit) {
            return block.size < settings.splitLimit;
        }
        return block.size < size + settings.nonSplitRounding;
    }

    /** Prefers blocks that cannot grow: the growing tail of a segment is the last resort. */
    private static Block leastExpandable(final FreeSet free, final Block smallest) {
        Block block = smallest;
        Block next = free.next(block);
        while (block.segment.isExpandable() && next != null && expandableSize(next) < expandableSize(block)) {
            block = next;
            next = free.next(block);
        }
        return block;
    }

    private static long expandableSize(final Block block) {
        return block.size + (block.next != null && !block.next.mapped ? block.next.size : 0);
    }

    /** The first that lies in an ordinary segment: blocks of expandable ones wait until these are switched on again. */
    private static Block whole(final FreeSet free, final Block smallest) {
        Block block = smallest;
        while (block != null && block.segment.isExpandable()) {
            block = free.next(block);
        }
        return block;
    }
}
