package io.vramlab.autograd;

import io.vramlab.tensor.Node;

/**
 * A node and its incoming gradients.
 *
 * @param node
 *            what to run
 * @param inputs
 *            its gradients
 */
record Task(Node node, InputBuffer inputs) {
}
