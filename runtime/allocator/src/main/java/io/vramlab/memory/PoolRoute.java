package io.vramlab.memory;

/**
 * Sends one thread's allocations to a memory pool.
 *
 * @param thread
 *            whose allocations
 * @param pool
 *            where to
 */
record PoolRoute(Thread thread, PrivatePool pool) {
}
