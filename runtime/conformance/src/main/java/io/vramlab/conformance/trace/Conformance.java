package io.vramlab.conformance.trace;

/**
 * How a replay compared with its recording.
 *
 * @param name
 *            the recording's name
 * @param operations
 *            how many were replayed
 * @param mismatches
 *            operations after which a statistic differed, history entries that differed, and differences at the end
 * @param firstMismatch
 *            the first of them in full, empty when there is none
 */
public record Conformance(String name, int operations, int mismatches, String firstMismatch) {
}
