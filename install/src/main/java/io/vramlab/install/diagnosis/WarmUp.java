package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.Sizes;

/** The peak came in an early step, by blocks that went at once and that no later step asked for: an algorithm was tried. */
final class WarmUp implements Detector {

    private static final double HIGHER = 1.2;
    /** Blocks that went within so many events were only tried. */
    private static final int AT_ONCE = 6;

    @Override
    public Optional<Finding> look(Evidence e) {
        Lives lives = e.lives();
        int end = e.story().events().size() - 1;
        if (e.failed() || e.at() > end / 2) {
            return Optional.empty();
        }
        long later = 0;
        for (int i = end / 2; i <= end; i++) {
            later = Math.max(later, e.story().live(i));
        }
        int[] tried = e.alive(block -> lives.died(block) - lives.born(block) <= AT_ONCE
                && (e.phase(block) == StoryPhase.FORWARD || e.phase(block) == StoryPhase.BACKWARD || !e.hasStacks()));
        long peak = e.story().live(e.at());
        if (peak < HIGHER * later || lives.sum(tried) < (peak - later) / 2) {
            return Optional.empty();
        }
        String line = e.chiefLine(tried, true);
        int[] step = e.alive(block -> Evidence.OF_A_STEP.contains(e.phase(block)));
        int last = Arrays.stream(tried).max().orElse(0);
        return Optional
                .of(new Finding(CauseKind.WARM_UP, Certainty.LIKELY, line.isEmpty() ? e.chiefLine(step, true) : line,
                        "", 1.2, List.of("The peak of "
                                + Sizes.both(peak) + " came at event " + e.at() + " by a block of "
                                + Sizes.both(lives.bytes(last))
                                + " that went at once; in the history's later half at most " + Sizes.both(later)
                                + " were in use."),
                        "torch.backends.cudnn.benchmark: whether it is on", Blamed.of(tried)));
    }
}
