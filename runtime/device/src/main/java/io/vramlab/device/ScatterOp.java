package io.vramlab.device;

/** How {@link Kernels#scatter} and {@link Kernels#indexPut} bring a value to a place. Places named twice come in order. */
public enum ScatterOp {
    /** The last one stays. */
    SET,
    /** Added. */
    ADD,
    /** Multiplied. */
    PROD,
    /** The larger stays; NaN wins. */
    MAX,
    /** The smaller stays; NaN wins. */
    MIN
}
