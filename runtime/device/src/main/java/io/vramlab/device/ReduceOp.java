package io.vramlab.device;

/** Reductions over any set of dimensions. Float types accumulate in float at least, float64 in double. */
public enum ReduceOp {
    /** Sum. */
    SUM,
    /** Sum divided by the number of inputs. */
    MEAN,
    /** Product. */
    PROD,
    /** Largest; NaN wins. */
    MAX,
    /** Smallest; NaN wins. */
    MIN,
    /** int64 index, within the reduced dimension, of the first largest; one dimension or all. */
    ARGMAX,
    /** int64 index of the first smallest. */
    ARGMIN,
    /** Euclidean norm. */
    NORM2,
    /** Truth value: any not zero. */
    ANY,
    /** Truth value: all not zero. */
    ALL,
    /** Unbiased (n - 1) variance. */
    VAR,
    /** Sum of the magnitudes. */
    NORM1,
    /** Sum of what is not NaN. */
    SUM_NUMBERS,
    /** Largest magnitude; NaN wins. */
    MAX_MAGNITUDE
}
