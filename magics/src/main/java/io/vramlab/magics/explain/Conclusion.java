package io.vramlab.magics.explain;

/**
 * What follows from the figures.
 *
 * @param kind
 *            how firmly
 * @param text
 *            one or two sentences, with the arithmetic
 */
public record Conclusion(Kind kind, String text) {

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

    static Conclusion proven(String text) {
        return new Conclusion(Kind.PROVEN, text);
    }

    static Conclusion excluded(String text) {
        return new Conclusion(Kind.EXCLUDED, text);
    }

    static Conclusion possible(String text) {
        return new Conclusion(Kind.POSSIBLE, text);
    }

    static Conclusion consistent(String text) {
        return new Conclusion(Kind.CONSISTENT, text);
    }

    static Conclusion inconsistent(String text) {
        return new Conclusion(Kind.INCONSISTENT, text);
    }

    static Conclusion note(String text) {
        return new Conclusion(Kind.NOTE, text);
    }
}
