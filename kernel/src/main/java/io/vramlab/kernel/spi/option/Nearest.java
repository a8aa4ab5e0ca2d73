package io.vramlab.kernel.spi.option;

import java.util.Collection;
import java.util.Optional;

/** Finds what a mistyped word was meant to be. */
public final class Nearest {

    private Nearest() {
    }

    /** The known word fewest edits away, if that is at most a third of its length. */
    public static Optional<String> of(String word, Collection<String> known) {
        String best = null;
        int fewest = Integer.MAX_VALUE;
        for (String candidate : known) {
            int edits = edits(word, candidate);
            if (edits < fewest && edits <= Math.max(1, candidate.length() / 3)) {
                best = candidate;
                fewest = edits;
            }
        }
        return Optional.ofNullable(best);
    }

    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
