package io.vramlab.magics.track;

/**
 * A stretch of a log with a name: a cell, or what a user marked.
 *
 * @param label
 *            for instance {@code In [7]}
 * @param from
 *            number of its first event
 * @param to
 *            number of the first event after it
 */
public record Region(String label, long from, long to) {
}
