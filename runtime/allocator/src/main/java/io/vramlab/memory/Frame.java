package io.vramlab.memory;

/**
 * One frame of a call site.
 *
 * @param file
 *            file name, or "In [n]" for a notebook's cell
 * @param line
 *            line in that file or cell, from 1; 0 when unknown
 * @param method
 *            method name
 */
public record Frame(String file, int line, String method) {

    /** The method name of a statement that stands in a cell and in no method; Python says {@code <module>}. */
    public static final String CELL = "<cell>";

    @Override
    public String toString() {
        return file + ":" + line + (method.equals(CELL) ? "" : " " + method);
    }
}
