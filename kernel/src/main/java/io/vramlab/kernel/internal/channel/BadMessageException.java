package io.vramlab.kernel.internal.channel;

/** A message that cannot be trusted or read; its text says why in a few words and never quotes the message. */
public class BadMessageException extends Exception {

    private static final long serialVersionUID = 1L;

    /** With the reason. */
    public BadMessageException(String reason) {
        super(reason);
    }
}
