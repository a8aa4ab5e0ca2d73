package io.vramlab.kernel.spi;

/**
 * Rewrites the classes of cells before the kernel does, and is told what the kernel holds for them; found by
 * {@link java.util.ServiceLoader}.
 */
public interface CellWeaver {

    /**
     * A class as it shall be defined.
     *
     * @param classFile
     *            as the compiler made it, with its stack map frames, of a package that is the cells' alone
     */
    byte[] weave(byte[] classFile);

    /**
     * A class without what {@link #weave} would put in: with it, it cannot be defined.
     *
     * @param why
     *            a clause for the user
     */
    byte[] withdraw(byte[] classFile, String why);

    /**
     * Whether calls of a class are what this puts in, which wait for nothing.
     *
     * @param owner
     *            its name, with slashes
     */
    boolean isItsOwn(String owner);

    /**
     * Whether a class has what this puts in the place of what Java does by itself, such as to store into an array: what is
     * thrown there, the user's code has thrown.
     *
     * @param type
     *            its name, with dots
     */
    default boolean standsIn(String type) {
        return false;
    }

    /** A session begins: no class of it is there yet. */
    void sessionStarted();

    /** The kernel holds a value, as a variable's or as a result that can be named. */
    void hold(Object value);

    /** The kernel holds it once less. */
    void drop(Object value);
}
