package io.vramlab.device.internal.cpu.kernels.cells;

/** bfloat16, the upper half of a float. (float16 is {@link Float#floatToFloat16} in the JDK.) */
final class Half {

    private Half() {
    }

    /** The float with these upper 16 bits. */
    static float fromBfloat16(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /**
     * The nearest bfloat16, halves to even; NaN stays NaN. Adding 0x7fff plus the lowest kept bit carries into the kept
     * half exactly when the cut half is above one half, or is one half and the kept bit is odd.
     */
    static short toBfloat16(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (value != value) {
            return 0x7fc0;
        }
        return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
    }
}
