package io.vramlab.kernel.internal.eval;

/**
 * What code gave.
 *
 * @param value
 *            the value of the last expression
 * @param present
 *            whether there is one to show: false after a declaration, a statement, or an expression that ends in a
 *            semicolon
 */
public record Value(Object value, boolean present) {

    static final Value NONE = new Value(null, false);
}
