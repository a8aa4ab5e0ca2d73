package io.vramlab.magics.track;

/**
 * What a block was.
 *
 * @param name
 *            what held it, for instance {@code net.layer1.weight}; empty if nothing that has a name
 * @param kind
 *            its kind as tables show it, for instance {@code Activation}
 * @param shape
 *            dtype and shape of the tensor in it
 */
public record BlockLabel(String name, String kind, String shape) {
}
