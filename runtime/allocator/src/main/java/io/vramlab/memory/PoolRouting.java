package io.vramlab.memory;

import io.vramlab.memory.internal.block.Block;
import io.vramlab.memory.internal.block.BlockPool;
import io.vramlab.memory.internal.block.PrivatePool;
import io.vramlab.memory.internal.block.Request;

/** Which memory pool a thread's allocations go to, and the pools that help out before memory runs out. */
final class PoolRouting {

    private final AllocatorState state;

    PoolRouting(final AllocatorState state) {
        this.state = state;
    }

    /** The pool that the calling thread uses, null for the default pools. */
    PrivatePool poolOfCurrentThread() {
        final Thread thread = Thread.currentThread();
        for (int i = state.routes.size() - 1; i >= 0; i--) {
            if (state.routes.get(i).thread() == thread) {
                return state.routes.get(i).pool();
            }
        }
        return null;
    }

    /** A free block of a pool made with {@code use_on_oom}; such pools are searched, not grown. */
    Block lastResort(final Request request) {
        final BlockPool own = request.pool;
        Block block = null;
        for (final PrivatePool pool : state.privatePools) {
            if (block == null && pool.useOnOom) {
                request.pool = own.small ? pool.small : pool.large;
                block = BestFit.take(state, request);
            }
        }
        request.pool = own;
        return block;
    }
}
