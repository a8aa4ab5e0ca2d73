package io.vramlab.install.diagnosis;

/**
 * A line of the user's, and what it has to do with a cause.
 *
 * @param role what
 * @param line as {@code file:line}
 */
public record ToldLine(LineRole role, String line) {
}
