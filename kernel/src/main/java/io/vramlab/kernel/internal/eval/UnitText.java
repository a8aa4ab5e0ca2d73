package io.vramlab.kernel.internal.eval;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A source file made of a cell's parts. What is copied stands on the line on which it stands in the cell, so that the
 * compiler's line numbers are the cell's; and of every character that was copied, it is known where it came from.
 */
final class UnitText {

    /**
     * Where a place of the text came from.
     *
     * @param part
     *            the part
     * @param offset
     *            the offset in its code
     */
    record Origin(Part part, int offset) {
    }

    private record Copy(int start, int length, Part part, int from, boolean exact) {
    }

    private final StringBuilder text = new StringBuilder();
    private final List<Copy> copies = new ArrayList<>();
    private int line = 1;

    /** Writes what is nobody's, on the current line. */
    UnitText raw(String generated) {
        text.append(generated);
        return this;
    }

    /** Goes to the line on which that offset of the part stands. */
    UnitText goTo(Part part, int offset) {
        int at = part.piece().line() + lines(part.code(), 0, offset);
        while (line < at) {
            text.append('\n');
            line++;
        }
        return this;
    }

    /** Copies a part's code from one offset to another. */
    UnitText copy(Part part, int from, int to) {
        goTo(part, from);
        copies.add(new Copy(text.length(), to - from, part, from, true));
        text.append(part.code(), from, to);
        line += lines(part.code(), from, to);
        return this;
    }

    /** Writes something that the part says in other words at that offset. */
    UnitText instead(Part part, int from, String words) {
        copies.add(new Copy(text.length(), words.length(), part, from, part.code().startsWith(words, from)));
        text.append(words);
        return this;
    }

    private static int lines(String code, int from, int to) {
        return (int) code.substring(from, to).chars().filter(c -> c == '\n').count();
    }

    /** Where the character at this position came from; empty if from nobody. */
    Optional<Origin> origin(long position) {
        for (Copy each : copies) {
            if (position >= each.start() && position <= each.start() + each.length()) {
                return Optional.of(new Origin(each.part(),
                        each.exact() ? each.from() + (int) position - each.start() : each.from()));
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
