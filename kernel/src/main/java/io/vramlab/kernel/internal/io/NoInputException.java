package io.vramlab.kernel.internal.io;

/** A cell asks its user, and nobody can be asked. Unchecked, because {@link java.util.Scanner} hides an IOException. */
public final class NoInputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoInputException() {
        super("this cell asks for input, but the frontend that runs it cannot ask its user (allow_stdin is false): give "
                + "the value in the code instead");
    }
}
