package io.vramlab.kernel.spi;

/**
 * How a cell ended.
 *
 * @param value
 *            the value shown, or null
 * @param error
 *            what ended it early (a user's exception, a {@link UsageException}, a compile error), or null
 * @param nanos
 *            how long it ran
 */
public record Outcome(Object value, Throwable error, long nanos) {

    /** True when it ran to its end. */
    public boolean ok() {
        return error == null;
    }
}
