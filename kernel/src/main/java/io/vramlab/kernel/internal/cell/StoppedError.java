package io.vramlab.kernel.internal.cell;

/** Thrown in a cell's code when the user interrupts it; an Error so that {@code catch (Exception e)} lets it pass. */
public final class StoppedError extends Error {

    private static final long serialVersionUID = 1L;

    StoppedError() {
        super("interrupted");
    }

    /** For code that an interrupt made throw something else; its frames are what matters. */
    StoppedError(Throwable thrown) {
        super("interrupted", thrown);
        setStackTrace(thrown.getStackTrace());
    }
}
