package io.vramlab.kernel.spi;

/**
 * A field of a generated class that holds a value.
 *
 * @param variable
 *            the variable's name
 * @param cell
 *            the number of the cell that declared it
 * @param value
 *            what it holds, not null
 * @param current
 *            false when the variable was replaced or dropped since, so that only this field keeps the value alive
 */
public record Holder(String variable, int cell, Object value, boolean current) {
}
