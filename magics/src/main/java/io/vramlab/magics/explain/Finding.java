package io.vramlab.magics.explain;

/**
 * What follows from the figures.
 *
 * @param kind
 *            how firmly
 * @param text
 *            one or two sentences, with the arithmetic
 */
public record Finding(Kind kind, String text) {

    /** How firmly something follows. */
    public enum Kind {
        /** Holds for every value that the printed figures can stand for. */
        PROVEN("proven"),
        /** Cannot be, for every such value. */
        EXCLUDED("excluded"),
        /** Fits the figures; so do other causes. */
        POSSIBLE("possible"),
        /** The figures agree. */
        CONSISTENT("consistent"),
        /** The figures contradict each other, or what is known of the device. */
        INCONSISTENT("inconsistent"),
        /** Said of the message, not of the memory. */
        NOTE("note");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** As tables show it. */
        public String word() {
            return word;
        }
    }

    static Finding proven(String text) {
        return new Finding(Kind.PROVEN, text);
    }

    static Finding excluded(String text) {
        return new Finding(Kind.EXCLUDED, text);
    }

    static Finding possible(String text) {
        return new Finding(Kind.POSSIBLE, text);
    }

    static Finding consistent(String text) {
        return new Finding(Kind.CONSISTENT, text);
    }

    static Finding inconsistent(String text) {
        return new Finding(Kind.INCONSISTENT, text);
    }

    static Finding note(String text) {
        return new Finding(Kind.NOTE, text);
    }
}
