package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.Sizes;

/** The peak came in an early step, by blocks that went at once and that no later step asked for: an algorithm was tried. */
final class WarmUp implements Detector {

    private static final double HIGHER = 1.2;
    /** Blocks that went within so many events were only tried. */
    private static final int AT_ONCE = 6;
    private static final long LARGE = 1 << 20;

    /** Whether what was there beside came again later: steps of other sizes need another amount, and try nothing. */
    private static boolean comesAgain(Evidence e, int[] tried) {
        Lives lives = e.lives();
        int half = e.story().events().size() / 2;
        Set<Long> later = new HashSet<>();
        for (int block = 0; block < lives.count(); block++) {
            if (lives.born(block) > half) {
                later.add(lives.bytes(block));
            }
        }
        Set<Integer> ofTries = Arrays.stream(tried).boxed().collect(Collectors.toSet());
        int[] beside = e.alive(block -> lives.bytes(block) >= LARGE && lives.died(block) != Lives.NEVER
                && !ofTries.contains(block));
        long again = lives.sum(Arrays.stream(beside).filter(block -> later.contains(lives.bytes(block))).toArray());
        return 2 * again >= lives.sum(beside);
    }

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
        if (peak < HIGHER * later || lives.sum(tried) < (peak - later) / 2 || !comesAgain(e, tried)) {
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
