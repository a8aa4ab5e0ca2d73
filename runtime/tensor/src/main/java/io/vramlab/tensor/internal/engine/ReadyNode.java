package io.vramlab.tensor.internal.engine;

import io.vramlab.tensor.internal.core.Node;

/**
 * A node and its incoming gradients.
 *
 * @param node
 *            what to run
 * @param inputs
 *            its gradients
 */
public record ReadyNode(Node node, InputBuffer inputs) {
}
