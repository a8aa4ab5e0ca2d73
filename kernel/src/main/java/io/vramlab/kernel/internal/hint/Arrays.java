package io.vramlab.kernel.internal.hint;

import java.util.Optional;
import java.util.Set;

/** What is asked of an array as if it were a list. */
final class Arrays {

    private static final Set<String> LENGTHS = Set.of("size", "length", "len");

    private Arrays() {
    }

    /** What to write for a method or field that arrays do not have. */
    static Optional<String> hint(String array, String asked) {
        if (asked.equals("get")) {
            return Optional.of("%1$s is an array: write %1$s[0]".formatted(array));
        }
        return LENGTHS.contains(asked)
                ? Optional.of("%1$s is an array: write %1$s.length".formatted(array))
                : Optional.empty();
    }
}
