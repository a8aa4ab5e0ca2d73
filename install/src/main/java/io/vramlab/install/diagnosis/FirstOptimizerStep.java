package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Phase;
import io.vramlab.memory.Sizes;

/** What the optimizer made at its first step and keeps. */
final class FirstOptimizerStep implements Detector {

    /** Of what is needed when it fails there. */
    private static final double LEAST_SHARE = 0.15;
    /** Of what is needed when nothing fails: with less it is a part of training like others. */
    private static final double MOST_OF_IT = 0.45;
    /** Without stacks: so many blocks of a weight's size for one weight are more than it and its gradient. */
    private static final double SETS = 2.25;
    /** More copies than the weights, gradients, two moments, a maximum and a temporary are no optimizer's. */
    private static final double MOST_SETS = 6;

    @Override
    public Optional<Finding> look(Evidence e) {
        return e.hasStacks() ? byPhase(e) : bySizes(e);
    }

    private static Optional<Finding> byPhase(Evidence e) {
        Lives lives = e.lives();
        int[] state = e.alive(block -> e.phase(block) == Phase.OPTIMIZER);
        boolean there = e.failingPlace().phase() == Phase.OPTIMIZER;
        double share = e.share(lives.sum(state) + (there ? e.asked() : 0));
        if (share < (e.failed() ? LEAST_SHARE : MOST_OF_IT)) {
            return Optional.empty();
        }
        String line = state.length > 0 ? e.chiefLine(state, true) : e.failingPlace().outer();
        boolean first = there && !steppedBefore(e, state);
        // where it fails elsewhere, later steps hold the state and something more
        double weight = first ? 0.95 : there ? 0.8 : share;
        return Optional.of(
                new Finding(Kind.OPTIMIZER, !e.failed() ? Certainty.UNSURE : first ? Certainty.SURE : Certainty.LIKELY,
                        line, "", weight,
                        List.of("The optimizer's step made " + state.length + " blocks that are still there, "
                                + Sizes.both(lives.sum(state)) + (first
                                        ? ", and its first step asked for " + Sizes.both(e.asked())
                                                + " more when there was no room."
                                        : ".")),
                        !e.failed()
                                ? "a failure: every optimizer with state holds some"
                                : first ? "" : "a history from the program's start",
                        Blamed.of(state)));
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

    private static Optional<Finding> bySizes(Evidence e) {
        Lives lives = e.lives();
        int[] alive = e.alive();
        int firstFree = firstFree(e);
        Map<Long, Integer> weights = new HashMap<>();
        long bytes = 0;
        for (int block : alive) {
            if (lives.born(block) <= firstFree) {
                weights.merge(lives.bytes(block), 1, Integer::sum);
                bytes += lives.bytes(block);
            }
        }
        long sets = Arrays.stream(alive).mapToLong(lives::bytes).filter(weights::containsKey).sum()
                + (weights.containsKey(e.asked()) ? e.asked() : 0);
        boolean last = weights
                .containsKey(e.failed() ? e.asked() : alive.length == 0 ? 0 : lives.bytes(alive[alive.length - 1]));
        if (weights.size() < 2 || !e.failed() || !last || sets < SETS * bytes || sets > MOST_SETS * bytes
                || e.share(sets) < 2 * MOST_OF_IT) {
            return Optional.empty();
        }
        return Optional.of(new Finding(Kind.OPTIMIZER, Certainty.LIKELY, "", "", 0.9, List.of(
                "Of blocks that have the weights' sizes there are " + Sizes.both(sets) + ", and the weights are "
                        + Sizes.both(bytes)
                        + ": there are more than gradients, and the request that failed has such a size too."),
                Evidence.stacksWanted(), Blamed.NONE));
    }

    private static int firstFree(Evidence e) {
        int first = e.at();
        for (int block = 0; block < e.lives().count(); block++) {
            first = Math.min(first, e.lives().died(block));
        }
        return first;
    }
}
