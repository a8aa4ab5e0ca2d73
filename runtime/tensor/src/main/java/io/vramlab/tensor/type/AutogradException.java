package io.vramlab.tensor.type;

/** Something that differentiation forbids; where PyTorch has an error, the message begins with PyTorch's words. */
public class AutogradException extends TensorException {

    private static final long serialVersionUID = 1L;

    /**
     * With its message.
     *
     * @param message
     *            what was asked, what is true, what to do
     */
    public AutogradException(String message) {
        super(message);
    }
}
