package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;

/** Leaves out cells of a session while two sides still see different things. */
final class Shrinker {

    private final Side ours;
    private final Side theirs;

    Shrinker(Side ours, Side theirs) {
        this.ours = ours;
        this.theirs = theirs;
    }

    /** A session from which no cell can be left out. */
    CellSequence shrink(CellSequence sequence) throws Exception {
        CellSequence least = sequence;
        for (boolean shorter = true; shorter && least.cells().size() > 1;) {
            shorter = false;
            List<CellSequence> candidates = new ArrayList<>();
            for (int i = least.cells().size() - 1; i >= 0; i--) {
                candidates.add(least.without(i));
            }
            List<List<Seen>> expected = theirs.run(candidates);
            List<List<Seen>> seen = ours.run(candidates);
            for (int i = 0; i < candidates.size() && !shorter; i++) {
                if (expected.get(i) != null && !Verdicts.differences(seen.get(i), expected.get(i)).isEmpty()) {
                    least = candidates.get(i);
                    shorter = true;
                }
            }
        }
        return least;
    }
}
