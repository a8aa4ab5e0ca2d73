package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.source.Saying;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.CallSites;
import io.vramlab.memory.Frame;
import io.vramlab.memory.Sizes;

/** The peak came in an early step, by blocks that went at once and that no later step asked for: an algorithm was tried. */
final class WarmUp implements Detector {

    private static final double HIGHER = 1.2;
    /** Blocks that went within so many events were only tried. */
    private static final int AT_ONCE = 6;
    private static final long LARGE = 1 << 20;
    /** Of the excess the workspace of one algorithm is so much. */
    private static final int LARGE_PART = 4;
    private static final double NEARLY = 0.75;
    private static final Pattern LAYER = Pattern
            .compile("torch[/\\\\]nn[/\\\\]modules[/\\\\](?!module\\.py|container\\.py)\\w+\\.py$");
    private static final Pattern TRYING = Pattern.compile("(conv|rnn)\\.py$");

    /** Whether blocks of nearly that size still come and go at once later: then each step needs them. */
    private static boolean goesOn(Evidence e, long largest) {
        Lives lives = e.lives();
        int half = e.story().events().size() / 2;
        for (int block = 0; block < lives.count(); block++) {
            if (lives.born(block) > half && lives.died(block) - lives.born(block) <= AT_ONCE
                    && lives.bytes(block) >= NEARLY * largest) {
                return true;
            }
        }
        return false;
    }

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
        Set<Long> ofWeights = new HashSet<>();
        Arrays.stream(e.ledger().before()).forEach(block -> ofWeights.add(lives.bytes(block)));
        int[] beside = e.alive(block -> lives.bytes(block) >= LARGE && lives.died(block) != Lives.NEVER
                && !ofTries.contains(block) && !ofWeights.contains(lives.bytes(block)));
        long again = lives.sum(Arrays.stream(beside).filter(block -> later.contains(lives.bytes(block))).toArray());
        return 2 * again >= lives.sum(beside);
    }

    /** Whether a layer of PyTorch's that tries no algorithms asked for it: convolutions and recurrent layers do. */
    private static boolean isOfAnotherLayer(int site) {
        return CallSites.frames(site).stream().map(Frame::file).filter(file -> LAYER.matcher(file).find()).findFirst()
                .filter(file -> !TRYING.matcher(file).find()).isPresent();
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
                && (e.phase(block) == StoryPhase.FORWARD && !isOfAnotherLayer(lives.site(block))
                        || e.phase(block) == StoryPhase.BACKWARD || !e.hasStacks()));
        long peak = e.story().live(e.at());
        long largest = Arrays.stream(tried).mapToLong(lives::bytes).max().orElse(0);
        if (peak < HIGHER * later || largest < (peak - later) / LARGE_PART || lives.sum(tried) < (peak - later) / 2
                || !comesAgain(e, tried)
                || goesOn(e, largest)) {
            return Optional.empty();
        }
        String line = e.chiefLine(tried, true);
        int[] step = e.alive(block -> Evidence.OF_A_STEP.contains(e.phase(block)));
        int last = Arrays.stream(tried).max().orElse(0);
        return Optional
                .of(new Finding(CauseKind.WARM_UP, Certainty.LIKELY, line.isEmpty() ? e.chiefLine(step, true) : line,
                        "", 1.2, List.of("The peak of "
                                + Sizes.both(peak) + " came at event " + Sizes.exact(e.at()) + " by a block of "
                                + Sizes.both(lives.bytes(last))
                                + " that went at once; in the history's later half at most " + Sizes.both(later)
                                + " were in use."),
                        e.program().says(Saying.BENCHMARK) ? "" : "torch.backends.cudnn.benchmark: whether it is on",
                        Blamed.of(tried)));
    }
}
