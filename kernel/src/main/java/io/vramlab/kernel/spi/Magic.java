package io.vramlab.kernel.spi;

import java.util.List;

/**
 * A command for the kernel itself: {@code %name arguments} on a line of its own or after {@code =}, or
 * {@code %%name arguments} as the first line of a cell whose rest is the body. Found by {@link java.util.ServiceLoader}.
 */
public interface Magic {

    /** Where a magic may stand. */
    enum Kind {
        /** {@code %name}, one line. */
        LINE,
        /** {@code %%name}, takes the rest of the cell. */
        CELL,
        /** Both. */
        LINE_AND_CELL
    }

    /** The name without the percent sign. */
    String name();

    /** Where it may stand. */
    default Kind kind() {
        return Kind.LINE;
    }

    /** One sentence for {@code %lsmagic}. */
    String summary();

    /** What {@code %name?} shows: how to write it and what it takes. */
    default String help() {
        return "%" + name() + "\n  " + summary() + "\n";
    }

    /**
     * Runs the magic.
     *
     * @return its value, shown as a cell's value would be and usable in Java ({@code Table t = magic("name");}), or null
     *         for none
     * @throws UsageException
     *             for a user's mistake: shown as its message alone
     */
    Object run(MagicCall call) throws Exception;

    /**
     * What may follow in the argument text.
     *
     * @param arguments
     *            the text after the name, up to the cursor
     * @param session
     *            the session, for variable names
     * @return candidates for the last word of {@code arguments}, an open quotation being one word
     */
    default List<String> complete(String arguments, Session session) {
        return List.of();
    }

    /**
     * Where in the argument text Java begins, which is then completed and inspected as in any other place.
     *
     * @return a char index, or -1 for nowhere
     */
    default int codeStart(String arguments) {
        return -1;
    }

    /**
     * Whether with these arguments it changes nothing and only tells. What such a magic tells is shown wherever it stands in
     * a cell; the value of another one is shown at the cell's end alone, as an expression's is.
     *
     * @param arguments
     *            the text after the name
     */
    default boolean onlyTells(String arguments) {
        return false;
    }

    /**
     * Whether it may declare something, or bring something to the class path, that Java below it in the same cell names. A
     * cell is compiled as a whole before any of it runs; what stands below such a magic is left until it has run.
     *
     * @param arguments
     *            the text after the name
     * @return by default, whether there is Java in the arguments
     */
    default boolean mayDeclare(String arguments) {
        return codeStart(arguments) >= 0;
    }
}
