package io.vramlab.kernel.spi;

/**
 * A variable of the session.
 *
 * @param name
 *            its name, {@code $n} for an unnamed result
 * @param type
 *            its declared type as Java source
 * @param value
 *            its value now; may be null
 * @param cell
 *            the number of the cell that declared it last
 */
public record Variable(String name, String type, Object value, int cell) {
}
