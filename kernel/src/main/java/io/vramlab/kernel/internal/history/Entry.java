package io.vramlab.kernel.internal.history;

/**
 * A cell that was run.
 *
 * @param session
 *            the number of the session
 * @param line
 *            the n of In [n]
 * @param input
 *            its text
 * @param output
 *            its value as text, or null
 */
public record Entry(int session, int line, String input, String output) {
}
