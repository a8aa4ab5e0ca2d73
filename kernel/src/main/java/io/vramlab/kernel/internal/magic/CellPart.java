package io.vramlab.kernel.internal.magic;

/** A stretch of a cell: Java, or one magic. */
public sealed interface CellPart {

    /** The cell line (from 1) on which it begins. */
    int line();

    /**
     * Java code.
     *
     * @param code
     *            the text
     * @param line
     *            the cell line (from 1) on which it begins
     */
    record Java(String code, int line) implements CellPart {
    }

    /**
     * A use of a magic.
     *
     * @param name
     *            without percent signs
     * @param arguments
     *            the text after the name, trimmed
     * @param body
     *            the rest of the cell for {@code %%name}, else null
     * @param line
     *            the cell line (from 1) of the name
     */
    record Use(String name, String arguments, String body, int line) implements CellPart {

        /** The same in a text that begins on this cell line. */
        public Use from(int firstLine) {
            return new Use(name, arguments, body, firstLine + line - 1);
        }
    }
}
