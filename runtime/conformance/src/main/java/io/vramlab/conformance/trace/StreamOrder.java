package io.vramlab.conformance.trace;

/**
 * What a recording leaves open about its streams.
 *
 * @param handles
 *            the handle of each stream, in whose order cached segments are released
 * @param polling
 *            where each stream stands when pending frees are polled
 */
record StreamOrder(long[] handles, int[] polling) {
}
