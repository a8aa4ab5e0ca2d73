package io.vramlab.kernel.spi;

import java.util.Map;

/**
 * Turns values of one type into what frontends show. Found by {@link java.util.ServiceLoader}; the most specific type
 * wins.
 *
 * @param <T>
 *            the type it renders
 */
public interface Renderer<T> {

    /** The type that it renders, with its subtypes. */
    Class<T> type();

    /**
     * The value as MIME bundle: type to text ("image/png" as base64). Must hold {@code text/plain}.
     */
    Map<String, String> render(T value);

    /** The value in one line, where it is one of many: in a list, in a table's cell, in {@code %who}. */
    default String label(T value) {
        return String.valueOf(value);
    }
}
