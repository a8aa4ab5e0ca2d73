package io.vramlab.magics.timeline;

/**
 * A stretch of a timeline with a name.
 *
 * @param label
 *            for instance {@code In [7]}
 * @param from
 *            number of its first event
 * @param to
 *            number of the first event after it
 */
public record Band(String label, long from, long to) {
}
