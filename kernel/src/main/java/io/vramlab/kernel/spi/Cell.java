package io.vramlab.kernel.spi;

/**
 * A cell being run.
 *
 * @param number
 *            the n of In [n]
 * @param source
 *            its text, magics included
 */
public record Cell(int number, String source) {
}
