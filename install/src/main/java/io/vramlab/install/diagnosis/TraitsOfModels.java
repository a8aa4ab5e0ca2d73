package io.vramlab.install.diagnosis;

import java.util.stream.IntStream;

import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;

/** What stacks tell of weights that came beside others: of a file's, and of a model that is made after the one before had worked; nothing without them. */
final class TraitsOfModels {

    private TraitsOfModels() {
    }

    static void add(Traits to, Evidence e) {
        to.put("loaded-again", TwoSets.isLoadedAgain(e));
        to.put("placed-before-work", e.hasStacks() ? placedBeforeWork(e) : 0);
    }

    /** Of what is needed, the weights in use that had been worked with before others were made or asked for. */
    private static double placedBeforeWork(Evidence e) {
        Lives lives = e.lives();
        int[] placed = e.alive(block -> e.phase(block) == StoryPhase.PLACING && lives.born(block) >= 0);
        if (placed.length == 0) {
            return 0;
        }
        int last = e.askedIn() == StoryPhase.PLACING ? e.at() : lives.born(placed[placed.length - 1]);
        int worked = IntStream.range(0, lives.count()).filter(block -> lives.born(block) < last
                && lives.died(block) < last && e.phase(block) == StoryPhase.FORWARD).map(lives::born).max().orElse(-1);
        return e.share(lives.sum(IntStream.of(placed).filter(block -> lives.born(block) < worked).toArray()));
    }
}
