package io.vramlab.kernel.judge;

/** One snippet of a cell. */
sealed interface Part {

    /** The snippet as a cell has it. */
    String text();

    /** A class, interface, enum or record. */
    record Type(String text) implements Part {
    }

    /** A method. */
    record Method(String text) implements Part {
    }

    /** A variable; {@code inferred} when the cell says {@code var}; an empty {@code init} leaves it at its default. */
    record Variable(String type, String name, String init, boolean inferred) implements Part {

        @Override
        public String text() {
            return (inferred ? "var" : type) + " " + name + (init.isEmpty() ? "" : " = " + init) + ";";
        }
    }

    /** A statement. */
    record Action(String text) implements Part {
    }

    /** An expression whose value is shown: the last of its cell. */
    record Value(String text) implements Part {
    }
}
