package io.vramlab.kernel.eval;

/**
 * A snippet's place in its cell.
 *
 * @param cell
 *            the n of In [n]
 * @param source
 *            the snippet's text
 * @param line
 *            the cell line (from 1) on which it begins
 * @param column
 *            the column (from 0) at which it begins on that line
 * @param last
 *            whether it ends the code given to evaluate
 */
record Piece(int cell, String source, int line, int column, boolean last) {

    /** What stack frames of its code give as their file. */
    String file() {
        return "In [" + cell + "]";
    }
}
