package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Story;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.Sizes;

/**
 * No request failed, but only because the cache was flushed: at the peak nearly all that could be had was in use, most of it by what
 * one step makes. The next larger batch fails.
 */
final class AtTheLimit implements Detector {

    /** Of what was reserved, in use: scatter is not why it was flushed. */
    private static final double IN_USE = 0.8;
    private static final double MOST = 0.5;
    /** What made no request fail counts for less than what else is found. */
    private static final double WEIGHT = 0.5;

    @Override
    public Optional<Finding> look(Evidence e) {
        Story story = e.story();
        long most = story.mostReserved(story.events().size() - 1);
        if (e.failed() || story.flushes().isEmpty() || story.live(e.at()) < IN_USE * most) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        int[] weights = e.ledger().before();
        // what goes again; without stacks the first gradients and an optimizer's state are told by their staying
        int[] made = e.alive(block -> lives.died(block) != Lives.NEVER && lives.born(block) >= 0
                && e.phase(block) != StoryPhase.PLACING && Arrays.binarySearch(weights, block) < 0
                && !WorkspaceBlocks.isOne(e, block));
        double share = e.share(lives.sum(made));
        return share < MOST
                ? Optional.empty()
                : Optional.of(new Finding(CauseKind.ACTIVATIONS, e.hasStacks() ? Certainty.LIKELY : Certainty.UNSURE,
                        e.chiefLine(made, true), "", WEIGHT * share,
                        List.of("No request failed, but the cache had to be flushed to make room: "
                                + Sizes.both(story.live(e.at())) + " of " + Sizes.both(most)
                                + " reserved were in use at the peak, " + Sizes.both(lives.sum(made))
                                + " of them by what was let go of later, as what one step makes is."),
                        e.hasStacks() ? "a failure" : Evidence.stacksWanted(), Blamed.of(made)));
    }
}
