package io.vramlab.device;

/** The types of tensor elements, with PyTorch's names. Lives with the devices because kernels are chosen by it. */
public enum DType {

    /** IEEE 754 binary32. */
    FLOAT32("float32", 4, true),
    /** IEEE 754 binary64. */
    FLOAT64("float64", 8, true),
    /** IEEE 754 binary16. */
    FLOAT16("float16", 2, true),
    /** The upper half of a binary32. */
    BFLOAT16("bfloat16", 2, true),
    /** Signed 64-bit integer: PyTorch's index type. */
    INT64("int64", 8, false),
    /** Signed 32-bit integer. */
    INT32("int32", 4, false),
    /** Unsigned 8-bit integer. */
    UINT8("uint8", 1, false),
    /** Truth value, one byte. */
    BOOL("bool", 1, false);

    private final String label;
    private final int bytes;
    private final boolean floating;

    DType(String label, int bytes, boolean floating) {
        this.label = label;
        this.bytes = bytes;
        this.floating = floating;
    }

    /** {@return PyTorch's name, for instance {@code float32}} */
    public String label() {
        return label;
    }

    /** {@return bytes per element} */
    public int bytes() {
        return bytes;
    }

    /** {@return true for the four floating-point types} */
    public boolean isFloatingPoint() {
        return floating;
    }

    /** The label. */
    @Override
    public String toString() {
        return label;
    }
}
