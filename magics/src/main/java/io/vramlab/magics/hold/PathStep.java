package io.vramlab.magics.hold;

/**
 * One step of a path.
 *
 * @param label
 *            what it adds to the name: {@code .field}, {@code [3]}, {@code ["key"]}
 * @param target
 *            the object it leads to
 * @param aside
 *            true for a step that gives a poorer name than any other way would: it is taken when all others are done
 */
public record PathStep(String label, Object target, boolean aside) {

    /** An ordinary step. */
    public PathStep(String label, Object target) {
        this(label, target, false);
    }
}
