package io.vramlab.magics.hold;

/**
 * One step of a path.
 *
 * @param label
 *            what it adds to the name: {@code .field}, {@code [3]}, {@code ["key"]}
 * @param target
 *            the object it leads to
 */
public record Edge(String label, Object target) {
}
