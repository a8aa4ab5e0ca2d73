package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.install.story.Place;
import io.vramlab.memory.Sizes;

/** The peak is a handful of large blocks: either the same tensor before and after, or one operation's. */
final class FewLargeBlocks implements Detector {

    private static final int MOST_BLOCKS = 6;
    private static final double NEARLY_ALL = 0.75;
    /** A request of so much of all that is needed stands alone. */
    private static final double ALONE = 0.6;
    private static final double HALF = 0.45;
    private static final double NEARLY = 0.99;
    private static final double WITHOUT_FAILURE = 0.7;
    /** Where nothing failed such blocks must be all there is: beside a model, a layer's input and result look so too. */
    private static final double ALL = 0.97;

    @Override
    public Optional<Finding> look(Evidence e) {
        if (!e.hasStacks() && e.failed()) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        int[] alive = e.alive(block -> e.phase(block) != StoryPhase.PLACING && e.phase(block) != StoryPhase.OPTIMIZER
                && !WorkspaceBlocks.isOne(e, block));
        long asked = e.asked();
        long largest = Arrays.stream(alive).mapToLong(lives::bytes).max().orElse(0);
        StoryPhase phase = e.failingPlace().phase();
        boolean ofModel = phase != StoryPhase.OTHER && phase != StoryPhase.UNKNOWN;
        if (e.failed() && !ofModel && e.share(asked) >= ALONE && !relative(asked, largest)) {
            Place place = e.failingPlace();
            return Optional.of(
                    new Finding(CauseKind.ONE_OPERATION, e.hasStacks()
                            ? Certainty.SURE
                            : e.story().failures().size() > 1 ? Certainty.UNSURE : Certainty.LIKELY, place.inner(),
                            "", e.share(asked),
                            List.of("One request asked for " + Sizes.both(asked) + "; all else that was in use came to "
                                    + Sizes.both(e.story().live(e.at())) + "."),
                            e.hasStacks() ? "" : Evidence.stacksWanted(), Blamed.NONE));
        }
        // twice as large as each of several that are there: no old value's new one
        long halves = Arrays.stream(alive).filter(block -> near(2 * lives.bytes(block), asked)).count();
        boolean twice = halves >= 2 && near(2 * largest, asked) && e.share(asked) >= HALF;
        if (e.failed() && !ofModel && twice) {
            Place place = e.failingPlace();
            return Optional.of(new Finding(CauseKind.ONE_OPERATION, Certainty.LIKELY, place.inner(), "",
                    Math.max(NEARLY_ALL, e.share(asked)),
                    List.of("One request asked for " + Sizes.both(asked) + ", twice as much as each of the " + halves
                            + " largest blocks that were in use."),
                    "the line's text: what it computes", Blamed.NONE));
        }
        long size = Math.max(largest, relative(asked, largest) ? asked : largest);
        int[] equals = Arrays.stream(alive).filter(block -> relative(lives.bytes(block), size)).toArray();
        long held = lives.sum(equals) + (relative(asked, size) ? asked : 0);
        int count = equals.length + (relative(asked, size) ? 1 : 0);
        // a model's result among them: what follows it is a loss written by hand
        boolean inModel = Arrays.stream(equals).anyMatch(block -> Evidence.OF_A_STEP.contains(e.phase(block)));
        if (count < 2 || count > MOST_BLOCKS || e.share(held) < (e.failed() ? NEARLY_ALL : ALL) || inModel || ofModel) {
            return Optional.empty();
        }
        Place place = e.failed() ? e.failingPlace() : e.place(equals[equals.length - 1]);
        return Optional.of(new Finding(CauseKind.OLD_AND_NEW, e.hasStacks() ? Certainty.LIKELY : Certainty.UNSURE,
                place.inner(), "",
                (e.failed() ? 0.9 : WITHOUT_FAILURE) * e.share(held),
                List.of(count + " blocks of " + Sizes.both(size) + " (or of half or twice that, as in another"
                        + " type) are nearly all that was needed: an old value, a new one and what lies between."),
                "the line's text: whether it computes a tensor anew under its own name", Blamed.of(equals)));
    }

    /** Equal, or half or twice as large, as another type makes the same tensor. */
    private static boolean relative(long a, long b) {
        return near(a, b) || near(a, 2 * b) || near(2 * a, b);
    }

    /** As a workspace is, of a tensor's bytes and a little more. */
    private static boolean near(long a, long b) {
        return a > 0 && b > 0 && Math.min(a, b) >= NEARLY * Math.max(a, b);
    }
}
