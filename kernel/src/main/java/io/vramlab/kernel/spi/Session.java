package io.vramlab.kernel.spi;

import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What magics, listeners and renderers may ask of the running kernel. Safe to use from any thread. */
public interface Session {

    /** The number of the cell that runs now, or of the last one: the n of In [n]. 0 before the first. */
    int executionCount();

    /** The variables that a cell could name now, in order of declaration; results {@code $n} included. */
    List<Variable> variables();

    /** The variable of that name. */
    Optional<Variable> variable(String name);

    /**
     * Forgets a variable and lets go of its value, as Python's {@code del} does.
     *
     * @return false if there is none of that name
     */
    boolean drop(String name);

    /**
     * Every strong hold that the interpreter's own machinery still has on values: the fields of generated classes,
     * current and replaced.
     */
    List<Holder> holders();

    /**
     * What the static fields of classes hold that cells declared, as {@code Type.field}; a holder that is not current
     * belongs to a declaration that was replaced. A class whose initialiser has not run is left out: nothing here runs it.
     */
    List<Holder> staticFields();

    /**
     * Runs Java in the session as part of the current cell, as if it stood there.
     *
     * @param code
     *            snippets
     * @param firstLine
     *            the cell line (from 1) on which {@code code} begins, so that stack frames name the right lines
     * @return the value of the last expression, or null
     * @throws Exception
     *             what the code threw, or {@link UsageException} with the compiler's message
     */
    Object evaluate(String code, int firstLine) throws Exception;

    /** Shows a value now, before the cell ends. */
    Display display(Object value);

    /**
     * What a magic or listener keeps for this session: the session owns it, and it goes with the session.
     *
     * @param type
     *            its class, of which a session has one
     * @param maker
     *            makes it at the first call
     * @return never null
     */
    <T> T part(Class<T> type, Supplier<? extends T> maker);

    /** The cell's standard output. */
    PrintStream out();

    /** The cell's standard error. */
    PrintStream err();
}
