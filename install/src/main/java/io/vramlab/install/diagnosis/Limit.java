package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.install.story.Place;
import io.vramlab.memory.Sizes;

/** Use and request together are more than may be had; most of all when weights alone are. */
final class Limit implements Detector {

    /** What speaks for it where nothing else does. */
    private static final double LEAST = 0.04;
    /** GPUs that PyTorch 2 runs on have 4 GiB and more, a few old ones aside. */
    private static final long SMALLEST_GPU = 7L << 29;
    private static final double OTHERS = 1.3;

    @Override
    public Optional<Finding> look(Evidence e) {
        if (!e.failed()) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        Place place = e.failingPlace();
        int[] weights = e.alive(block -> e.phase(block) == StoryPhase.PLACING);
        boolean placing = place.phase() == StoryPhase.PLACING;
        // without stacks: nothing ever went, so there was no step yet
        boolean onlyMade = !e.hasStacks() && nothingWent(e);
        List<String> because = new ArrayList<>();
        because.add(Sizes.both(e.story().live(e.at())) + " were in use and " + Sizes.both(e.asked()) + " asked for.");
        if (placing) {
            because.add(
                    "The request that failed was a weight's, when a model was made or moved to the device: its weights alone, "
                            + Sizes.both(lives.sum(weights)) + " so far, do not fit.");
        } else if (onlyMade) {
            because.add("Nothing had been let go of before: what was made first, usually weights, does not fit.");
        }
        // a driver that refuses at less than any GPU's memory: the rest is others'
        long held = e.story().reserved(e.at()) + e.failing().address();
        boolean others = e.failing().address() < e.asked() && held < SMALLEST_GPU;
        if (others) {
            because.add("The driver refused, with " + Sizes.both(e.failing().address())
                    + " free. With what this process holds"
                    + " that is " + Sizes.both(held)
                    + ", less than GPUs have, but for a few old ones: the rest is held by other processes.");
        }
        // a second model of the same sizes is being made: that it is the second is the cause
        boolean second = placing && TwoSets.beingMade(e).isPresent();
        double weight = second
                ? LEAST
                : others
                        ? OTHERS
                        : placing ? Math.max(0.5, e.share(lives.sum(weights) + e.asked())) : onlyMade ? 0.6 : LEAST;
        return Optional.of(new Finding(CauseKind.LIMIT,
                placing && !others && !second && isOneModel(e, weights)
                        ? Certainty.SURE
                        : placing ? Certainty.LIKELY : onlyMade || others ? Certainty.LIKELY : Certainty.UNSURE,
                place.outer(),
                place.inner().equals(place.outer()) ? "" : place.inner(), weight, because,
                placing
                        ? isOneModel(e, weights) ? "" : "the same program with this model alone"
                        : e.hasStacks() ? "a history from the program's start" : Evidence.stacksWanted(),
                Blamed.of(weights)));
    }

    /** Whether one line placed all weights: of two models the second may be one too many. */
    private static boolean isOneModel(Evidence e, int[] weights) {
        return Arrays.stream(weights).mapToObj(block -> e.place(block).outer()).distinct().count() <= 1;
    }

    private static boolean nothingWent(Evidence e) {
        // a workspace to multiply in: something was computed, and kept all that it made
        for (int block = 0; block < e.lives().count(); block++) {
            if (e.lives().died(block) < e.at()
                    || e.lives().born(block) >= 0 && e.lives().born(block) < e.at()
                            && WorkspaceBlocks.isOne(e, block)) {
                return false;
            }
        }
        return e.alive().length >= 3;
    }
}
