package io.vramlab.tensor.core;

/** A request that tensors cannot meet; the message says what was asked, what is true, and what to do. */
public class TensorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** With the three-part message. */
    public TensorException(String message) {
        super(message);
    }
}
