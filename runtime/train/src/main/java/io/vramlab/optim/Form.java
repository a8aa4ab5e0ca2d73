package io.vramlab.optim;

/** How an optimizer goes through its parameters; see the package comment for what each costs. */
public enum Form {
    /** Foreach when all parameters are floating point tensors on a GPU, else for-loop. */
    AUTOMATIC,
    /** One parameter after the other. */
    FOR_LOOP,
    /** One launch per operation for all parameters. */
    FOREACH,
    /** One launch for everything. */
    FUSED
}
