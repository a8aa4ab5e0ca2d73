package io.vramlab.kernel.spi;

import java.io.IOException;

/** What {@link Notebook} needs of the kernel that runs in this process. */
public interface NotebookBridge {

    /** Runs a magic. */
    Object magic(String name, String arguments) throws Exception;

    /** Runs a magic that stands on a line of its own among Java. */
    void tell(String name, String arguments) throws Exception;

    /** Shows a value. */
    Display display(Object value);

    /** Takes away what the cell has shown. */
    void clearOutput(boolean wait);

    /** Asks the user. */
    String input(String prompt, boolean password) throws IOException;

    /** Connects the kernel of this process. */
    static void connect(NotebookBridge kernel) {
        NotebookBridgeHolder.kernel = kernel;
    }

    /**
     * The kernel of this process.
     *
     * @throws IllegalStateException
     *             if none runs: the caller is not in a notebook
     */
    static NotebookBridge get() {
        NotebookBridge kernel = NotebookBridgeHolder.kernel;
        if (kernel == null) {
            throw new IllegalStateException("this needs a notebook, and no VramLab kernel runs in this process: call it"
                    + " from a cell");
        }
        return kernel;
    }

    /** Whether a kernel runs in this process. */
    static boolean connected() {
        return NotebookBridgeHolder.kernel != null;
    }
}
