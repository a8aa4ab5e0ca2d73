package io.vramlab.device;

/** What {@link Kernels#scan} carries along a dimension. */
public enum ScanOp {
    /** Sum so far. */
    SUM,
    /** Product so far. */
    PROD,
    /** Largest so far; the later of equals, NaN wins. */
    MAX,
    /** Smallest so far; the later of equals, NaN wins. */
    MIN,
    /** Logarithm of the sum of exponentials so far. */
    LOG_SUM_EXP
}
