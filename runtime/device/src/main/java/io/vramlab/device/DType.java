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

    /** {@return the greatest number of this type: {@code torch.finfo(dtype).max} or {@code torch.iinfo(dtype).max}} */
    public double max() {
        return switch (this) {
            case FLOAT32 -> Float.MAX_VALUE;
            case FLOAT64 -> Double.MAX_VALUE;
            case FLOAT16 -> 65504;
            case BFLOAT16 -> 0x1.FEp127;
            case INT64 -> Long.MAX_VALUE;
            case INT32 -> Integer.MAX_VALUE;
            case UINT8 -> 255;
            case BOOL -> 1;
        };
    }

    /** {@return the least number of this type: {@code torch.finfo(dtype).min} or {@code torch.iinfo(dtype).min}} */
    public double min() {
        return switch (this) {
            case INT64 -> Long.MIN_VALUE;
            case INT32 -> Integer.MIN_VALUE;
            case UINT8, BOOL -> 0;
            default -> -max();
        };
    }

    /**
     * {@return the distance from 1 to the next number: {@code torch.finfo(dtype).eps}}
     *
     * @throws IllegalArgumentException
     *             for a type of whole numbers
     */
    public double eps() {
        return switch (this) {
            case FLOAT32 -> 0x1p-23;
            case FLOAT64 -> 0x1p-52;
            case FLOAT16 -> 0x1p-10;
            case BFLOAT16 -> 0x1p-7;
            default -> throw new IllegalArgumentException("eps was asked of " + label
                    + ", which holds whole numbers: only a floating type has one.");
        };
    }

    /**
     * {@return the smallest positive number of full precision: {@code torch.finfo(dtype).tiny}}
     *
     * @throws IllegalArgumentException
     *             for a type of whole numbers
     */
    public double tiny() {
        return switch (this) {
            case FLOAT32, BFLOAT16 -> Float.MIN_NORMAL;
            case FLOAT64 -> Double.MIN_NORMAL;
            case FLOAT16 -> 0x1p-14;
            default -> throw new IllegalArgumentException("tiny was asked of " + label
                    + ", which holds whole numbers: only a floating type has one.");
        };
    }

    /** The label. */
    @Override
    public String toString() {
        return label;
    }
}
