package io.vramlab.plan;

/**
 * A tensor as an operation was given or made it.
 *
 * @param storage
 *            the number of its storage, 0 for one on the host
 * @param form
 *            how it lies there
 */
record TensorRef(long storage, TensorForm form) {
}
