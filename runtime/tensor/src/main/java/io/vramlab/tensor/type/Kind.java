package io.vramlab.tensor.type;

/** What a storage is for, as tables show it. */
public enum Kind {
    /** A leaf that is trained. */
    PARAMETER,
    /** Module state that is not trained. */
    BUFFER,
    /** What backward accumulated into a leaf. */
    GRADIENT,
    /** A result that the graph can be walked back from. */
    ACTIVATION,
    /** Made and dropped inside an operation, a backward pass or an optimizer step. */
    TEMPORARY,
    /** Moments and steps of an optimizer. */
    OPTIMIZER_STATE,
    /** Everything else: data, results without a graph. */
    OTHER
}
