package io.vramlab.memory.internal.block;

import io.vramlab.memory.MemPool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Free blocks of one kind, small or large, of the default pools or of one {@link MemPool}. A request is served only from
 * free blocks of its own stream.
 */
public final class BlockPool {

    public final boolean small;
    /** Who owns the pool; null for the default pools. */
    public final PrivatePool owner;
    /** How often the pool was searched while garbage collection was on: the clock of block ages. */
    public long searches;

    /** Ordered by stream handle as an unsigned number, the default stream first. */
    private final List<FreeSet> byStream = new ArrayList<>(2);
    private FreeSet lastUsed;
    /** Parts of expandable segments with no memory behind them, by stream and address. */
    public final TreeSet<Block> unmapped = new TreeSet<>(
            Comparator.<Block>comparingLong(b -> b.stream() ^ Long.MIN_VALUE)
                    .thenComparingLong(b -> b.address));

    public BlockPool(final boolean small, final PrivatePool owner) {
        this.small = small;
        this.owner = owner;
    }

    public FreeSet of(final long stream) {
        final FreeSet last = lastUsed;
        return last != null && last.stream == stream ? last : find(stream);
    }

    public void add(final Block block) {
        block.searchesWhenFreed = (int) searches;
        block.segment.free.add(block);
    }

    public void remove(final Block block) {
        block.segment.free.remove(block);
    }

    /** All free blocks, by stream, size and address. */
    public List<Block> freeBlocks() {
        final List<Block> list = new ArrayList<>();
        for (final FreeSet set : byStream) {
            set.copyTo(list);
        }
        return list;
    }

    boolean isEmpty() {
        return unmapped.isEmpty() && byStream.stream().allMatch(FreeSet::isEmpty);
    }

    private FreeSet find(final long stream) {
        int i = 0;
        while (i < byStream.size() && Long.compareUnsigned(byStream.get(i).stream, stream) < 0) {
            i++;
        }
        if (i == byStream.size() || byStream.get(i).stream != stream) {
            byStream.add(i, new FreeSet(stream));
        }
        lastUsed = byStream.get(i);
        return lastUsed;
    }
}
