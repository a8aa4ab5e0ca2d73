package io.vramlab.tensor;

/**
 * A node and its incoming gradients.
 *
 * @param node
 *            what to run
 * @param inputs
 *            its gradients
 */
record ReadyNode(Node node, InputBuffer inputs) {
}
