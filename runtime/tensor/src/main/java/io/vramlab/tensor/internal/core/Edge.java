package io.vramlab.tensor.internal.core;

/**
 * Where a gradient goes next.
 *
 * @param node
 *            the node, held by the edge's owner
 * @param input
 *            which of its incoming gradients
 */
public record Edge(Node node, int input) {
}
