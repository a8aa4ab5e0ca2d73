package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.Sizes;

/** What the optimizer made at its first step and keeps. */
final class FirstOptimizerStep implements Detector {

    /** Of what is needed when it fails there. */
    private static final double LEAST_SHARE = 0.15;
    /** Of what is needed when nothing fails: with less it is a part of training like others. */
    private static final double MOST_OF_IT = 0.45;
    private static final double FAR_MORE = 1.3;

    @Override
    public Optional<Finding> look(Evidence e) {
        return e.hasStacks() ? byPhase(e) : Optional.empty();
    }

    private static Optional<Finding> byPhase(Evidence e) {
        Lives lives = e.lives();
        int[] state = e.alive(block -> e.phase(block) == StoryPhase.OPTIMIZER);
        boolean there = e.failingPlace().phase() == StoryPhase.OPTIMIZER;
        double share = e.share(lives.sum(state) + (there ? e.asked() : 0));
        if (share < (e.failed() ? LEAST_SHARE : MOST_OF_IT) || !e.failed() && !isPeak(e)) {
            return Optional.empty();
        }
        String line = state.length > 0 ? e.chiefLine(state, true) : e.failingPlace().outer();
        boolean first = there && !steppedBefore(e, state);
        // where it fails elsewhere, later steps hold the state and something more
        double weight = first ? 0.95 : there ? 0.8 : share;
        return Optional.of(
                new Finding(CauseKind.OPTIMIZER,
                        !e.failed() ? Certainty.UNSURE : first ? Certainty.SURE : Certainty.LIKELY,
                        line, "", weight,
                        List.of(because(e, state, first)),
                        !e.failed()
                                ? "a failure: every optimizer with state holds some"
                                : first ? "" : "a history from the program's start",
                        Blamed.of(state)));
    }

    private static String because(Evidence e, int[] state, boolean first) {
        String asked = "its first step asked for " + Sizes.both(e.asked());
        if (state.length == 0) {
            return "The optimizer's state had no room: " + asked + ".";
        }
        return "The optimizer's step made " + Sizes.exact(state.length) + " blocks that are still there, "
                + Sizes.both(e.lives().sum(state))
                + (first ? ", and " + asked + " more when there was no room." : ".");
    }

    /** Whether the optimizer's step needs far more than all else does: then it is what limits the program. */
    private static boolean isPeak(Evidence e) {
        Lives lives = e.lives();
        long elsewhere = 0;
        for (int block = 0; block < lives.count(); block++) {
            if (lives.born(block) >= 0 && e.phase(block) != StoryPhase.OPTIMIZER) {
                elsewhere = Math.max(elsewhere, e.story().live(lives.born(block)));
            }
        }
        return e.story().live(e.at()) > FAR_MORE * elsewhere;
    }

    /** Whether an earlier step of the optimizer came to an end. */
    private static boolean steppedBefore(Evidence e, int[] state) {
        Lives lives = e.lives();
        int since = Arrays.stream(state).map(lives::born).min().orElse(e.at());
        for (int block = 0; block < lives.count(); block++) {
            if (lives.born(block) > since && lives.born(block) < e.at()
                    && Evidence.OF_A_STEP.contains(e.phase(block))) {
                return true;
            }
        }
        return false;
    }
}
