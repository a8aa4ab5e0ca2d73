package io.vramlab.magics.hold;

/**
 * Where a path begins.
 *
 * @param kind
 *            what holds the first object
 * @param label
 *            how it is called
 * @param value
 *            the first object
 */
public record Root(Kind kind, String label, Object value) {

    /** What holds the first object of a path. */
    public enum Kind {
        /** A variable that a cell can name. */
        VARIABLE("variable"),
        /** The unnamed result of a cell, {@code $n}. */
        RESULT("old result"),
        /** The field of a variable that was replaced or dropped. */
        REPLACED("replaced variable"),
        /** A static field of a user's class. */
        STATIC("static field"),
        /** The runtime itself. */
        RUNTIME("runtime");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** In words. */
        public String text() {
            return text;
        }
    }
}
