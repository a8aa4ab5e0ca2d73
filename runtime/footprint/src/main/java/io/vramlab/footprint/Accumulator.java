package io.vramlab.footprint;

import io.vramlab.device.DType;
import io.vramlab.device.ReduceOp;

/** What one partial result of a reduction takes: docs/footprint.md, "Accumulators". */
public final class Accumulator {

    /** Bytes of a value beside its position, which is an int64. */
    public static final int WITH_POSITION = 16;
    private static final int WELFORD_NUMBERS = 4;

    private Accumulator() {
    }

    /**
     * Bytes of a partial result: sums of half types in float32, positions beside their value, Welford's four numbers.
     *
     * @param op
     *            the reduction
     * @param in
     *            what is reduced
     */
    public static int bytes(ReduceOp op, DType in) {
        return switch (op) {
            case MAX, MIN, ANY, ALL -> in.bytes();
            case ARGMAX, ARGMIN -> WITH_POSITION;
            case VAR -> WELFORD_NUMBERS * ofSum(in);
            default -> ofSum(in);
        };
    }

    /** Bytes of a partial sum: half types are summed in float32. */
    static int ofSum(DType in) {
        return Math.max(in.bytes(), Float.BYTES);
    }
}
