package example;

import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.internal.bench.AllocatorLoops;

/** Code of a user's that calls itself before it allocates; nothing here is VramLab's own, so its frames are the user's. */
public final class DeepCode {

    private DeepCode() {
    }

    /** Allocates and frees {@code n} times, so many frames deep. */
    public static long pairs(final int depth, final CachingAllocator allocator, final int n) {
        return depth == 0 ? AllocatorLoops.pairs(allocator, n, 1024) : pairs(depth - 1, allocator, n);
    }
}
