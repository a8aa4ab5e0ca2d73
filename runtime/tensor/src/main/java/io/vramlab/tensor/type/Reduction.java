package io.vramlab.tensor.type;

/** What a loss does with the losses of its elements. */
public enum Reduction {
    /** Leaves them. */
    NONE(0),
    /** Their mean. */
    MEAN(1),
    /** Their sum. */
    SUM(2);

    private final int code;

    Reduction(int code) {
        this.code = code;
    }

    /** {@return PyTorch's number for it, as at::Reduction counts} */
    public int code() {
        return code;
    }
}
