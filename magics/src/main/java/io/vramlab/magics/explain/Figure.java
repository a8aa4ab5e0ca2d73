package io.vramlab.magics.explain;

/**
 * A figure that a message printed.
 *
 * @param role
 *            what it is
 * @param name
 *            as people read it
 * @param amount
 *            the bytes
 * @param meaning
 *            what the number counts, in one sentence
 */
public record Figure(Role role, String name, Amount amount, String meaning) {
}
