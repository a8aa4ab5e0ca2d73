package io.vramlab.kernel.internal.eval;

/** Wraps what a cell's code threw, so that it is never taken for a fault of the kernel. */
public final class UserCodeException extends Exception {

    private static final long serialVersionUID = 1L;

    UserCodeException(Throwable cause, String explanation) {
        super(explanation, cause);
    }
}
