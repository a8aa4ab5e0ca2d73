package io.vramlab.memory.internal.block;

/**
 * Sends one thread's allocations to a memory pool.
 *
 * @param thread
 *            whose allocations
 * @param pool
 *            where to
 */
public record PoolRoute(Thread thread, PrivatePool pool) {
}
