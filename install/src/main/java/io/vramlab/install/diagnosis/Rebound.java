package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Place;
import io.vramlab.install.story.StoryPhase;

/**
 * A name that gets a new value in each turn of a loop: the line's former block is there while it asks for the next, and went just after
 * each time before. Without stacks, of all blocks that are nearly as large as the request.
 */
final class Rebound {

    /** Smaller blocks are none of the values of that name. */
    private static final double NEARLY = 0.4;
    /** Of what the line made: what is left out of looking at. */
    private static final double LARGE = 0.2;
    private static final double MOSTLY = 0.5;

    private Rebound() {
    }

    /** The former value, a block in use when the request failed; nothing where it is none. */
    static OptionalInt former(Evidence e) {
        Place place = e.failingPlace();
        if (!e.failed() || e.hasStacks() && (place.phase() != StoryPhase.OTHER || !place.isKnown())) {
            return OptionalInt.empty();
        }
        Lives lives = e.lives();
        int[] made = IntStream.range(0, lives.count())
                .filter(block -> lives.born(block) >= 0 && lives.born(block) < e.at()
                        && lives.bytes(block) >= LARGE * e.asked()
                        && (!e.hasStacks() || e.place(block).inner().equals(place.inner())))
                .toArray();
        int[] there = Arrays.stream(made).filter(block -> lives.aliveAt(block, e.at())).toArray();
        if (there.length != 1 || lives.bytes(there[0]) <= NEARLY * e.asked() || there[0] != made[made.length - 1]) {
            return OptionalInt.empty();
        }
        int both = 1;
        for (int i = 0; i + 1 < made.length; i++) {
            int next = lives.born(made[i + 1]);
            int after = i + 2 < made.length ? lives.born(made[i + 2]) : e.at();
            if (lives.died(made[i]) >= after) {
                return OptionalInt.empty(); // kept for longer than one turn
            }
            both += lives.died(made[i]) >= next ? 1 : 0;
        }
        return both >= MOSTLY * made.length ? OptionalInt.of(there[0]) : OptionalInt.empty();
    }
}
