package io.vramlab.device;

/** What {@link Kernels#random} fills with. Philox 4x32-10, one counter per four values. */
public enum RandomOp {
    /** Uniform in [a, b). */
    UNIFORM,
    /** Normal with mean a and standard deviation b. */
    NORMAL,
    /** 1 with probability a, else 0. */
    BERNOULLI,
    /** Integers in [a, b). */
    INTEGERS
}
