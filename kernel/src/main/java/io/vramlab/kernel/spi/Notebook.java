package io.vramlab.kernel.spi;

import java.io.IOException;

/** What every cell can call without an import: the kernel's functions for user code. */
public final class Notebook {

    private Notebook() {
    }

    /**
     * Runs a magic and gives its value: {@code Table t = magic("memory_stats", "--device 0");} is
     * {@code %memory_stats --device 0} with the table in a variable.
     *
     * @param name
     *            the name without percent signs
     * @param arguments
     *            the text after the name; several are joined by a space
     * @throws Exception
     *             what the magic threw; {@link UsageException} if it was used wrongly
     */
    public static <T> T magic(String name, String... arguments) throws Exception {
        @SuppressWarnings("unchecked")
        T value = (T) NotebookBridge.get().magic(name, String.join(" ", arguments));
        return value;
    }

    /**
     * Runs a magic as on a line of its own within braces: what it tells is shown, if to tell is all that it does. Cells say
     * {@code %name arguments}.
     *
     * @throws Exception
     *             what the magic threw; {@link UsageException} if it was used wrongly
     */
    public static void tell(String name, String arguments) throws Exception {
        NotebookBridge.get().tell(name, arguments);
    }

    /** Shows a value now; the result can replace it. */
    public static Display display(Object value) {
        return NotebookBridge.get().display(value);
    }

    /**
     * Takes away what the cell has shown so far.
     *
     * @param wait
     *            true to do so only when the next output comes, which does not flicker
     */
    public static void clearOutput(boolean wait) {
        NotebookBridge.get().clearOutput(wait);
    }

    /**
     * Asks the user for a line.
     *
     * @throws IOException
     *             if the frontend cannot ask, or the cell is interrupted
     */
    public static String input(String prompt) throws IOException {
        return NotebookBridge.get().input(prompt, false);
    }

    /**
     * Asks the user for a line that is not shown while it is typed.
     *
     * @throws IOException
     *             if the frontend cannot ask, or the cell is interrupted
     */
    public static String password(String prompt) throws IOException {
        return NotebookBridge.get().input(prompt, true);
    }
}
