package io.vramlab.install.notebook;

/** A file is not the notebook that it was taken for, or a kernel does not answer; the message is for the user. */
public final class NotebookException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With what is wrong. */
    public NotebookException(String message) {
        super(message);
    }
}
