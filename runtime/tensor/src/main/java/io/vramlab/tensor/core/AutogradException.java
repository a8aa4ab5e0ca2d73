package io.vramlab.tensor.core;

/** Something that differentiation forbids; where PyTorch has an error, the message begins with PyTorch's words. */
public class AutogradException extends TensorException {

    private static final long serialVersionUID = 1L;

    /** With the three-part message. */
    public AutogradException(String message) {
        super(message);
    }
}
