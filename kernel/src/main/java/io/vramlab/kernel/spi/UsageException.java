package io.vramlab.kernel.spi;

/** A magic was used wrongly; only the message is shown: what was asked, what is true, what to do. */
public class UsageException extends Exception {

    private static final long serialVersionUID = 1L;

    /** With the message that the user sees. */
    public UsageException(String message) {
        super(message);
    }
}
