package io.vramlab.kernel.internal.eval;

/**
 * A snippet's place in its cell.
 *
 * @param cell
 *            the n of In [n]
 * @param source
 *            the snippet's text
 * @param closed
 *            the same with the semicolon that it may lack at its end
 * @param line
 *            the cell line (from 1) on which it begins
 * @param column
 *            the column (from 0) at which it begins on that line
 * @param last
 *            whether it ends the code given to evaluate
 */
record Piece(int cell, String source, String closed, int line, int column, boolean last) {

    /** A snippet that lacks nothing. */
    Piece(int cell, String source, int line, int column, boolean last) {
        this(cell, source, source, line, column, last);
    }

    /** The same place, with the semicolon where one was missing. */
    Piece closedOne() {
        return new Piece(cell, closed, line, column, last);
    }

    /** Whether the user ended it with a semicolon: then its value is not to be shown. */
    boolean isEnded() {
        return Comments.blanked(source).stripTrailing().endsWith(";");
    }

    /** What stack frames of its code give as their file. */
    String file() {
        return "In [" + cell + "]";
    }
}
