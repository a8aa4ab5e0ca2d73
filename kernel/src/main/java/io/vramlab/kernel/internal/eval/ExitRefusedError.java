package io.vramlab.kernel.internal.eval;

/** Ends a cell that called {@code System.exit} when the kernel shall not end. */
public final class ExitRefusedError extends Error {

    private static final long serialVersionUID = 1L;

    /** With the status that the cell gave. */
    public ExitRefusedError(int status) {
        super(("System.exit(%d) was not carried out: it would end the kernel and lose every variable. To end it, use the "
                + "frontend's Shut Down or Restart").formatted(status));
    }
}
