package io.vramlab.tensor.type;

/** A request that tensors cannot meet; the message says what was asked, what is true, and what to do. */
public class TensorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * With its message.
     *
     * @param message
     *            what was asked, what is true, what to do
     */
    public TensorException(String message) {
        super(message);
    }
}
