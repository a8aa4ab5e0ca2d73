package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.Sizes;

/**
 * Several inputs of one line at once, each with what a model made of it, that went together at other times: a step of several
 * smaller ones whose graphs wait for one backward pass. Told where each smaller step is one line, which no loop shows.
 */
final class PiledUp implements Detector {

    private static final int FEWEST = 4;
    private static final double LEAST_SHARE = 0.3;

    @Override
    public Optional<Finding> look(Evidence e) {
        if (!e.hasStacks()) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        int[] made = e.alive(block -> Evidence.OF_A_STEP.contains(e.phase(block)) && lives.died(block) != Lives.NEVER);
        Map<Integer, List<Integer>> inputs = new HashMap<>();
        for (int block : e.alive(block -> e.phase(block) == StoryPhase.OTHER && lives.died(block) != Lives.NEVER)) {
            inputs.computeIfAbsent(lives.site(block), site -> new ArrayList<>()).add(block);
        }
        for (List<Integer> group : inputs.values()) {
            // a recurrent network's loss comes after what the model made, an input before
            if (group.size() >= FEWEST && made.length > 0 && group.getFirst() < made[0]
                    && e.share(lives.sum(made)) >= LEAST_SHARE && wentElsewhere(e, group)
                    && between(made, group) >= FEWEST - 1) {
                String line = e.chiefLine(made, true);
                String within = e.chiefLine(made, false);
                return Optional.of(new Finding(CauseKind.ACCUMULATION, Certainty.LIKELY, line,
                        within.equals(line) ? "" : within,
                        e.share(lives.sum(made)), List.of(group.size() + " inputs of one line were there at once, with "
                                + Sizes.both(lives.sum(made))
                                + " that a model made of them; at other times as many went together."),
                        "the line of the backward pass: how many results it is called for", Blamed.of(made)));
            }
        }
        return Optional.empty();
    }

    /** Whether blocks of that line came and went at other times. */
    private static boolean wentElsewhere(Evidence e, List<Integer> group) {
        Lives lives = e.lives();
        int site = lives.site(group.getFirst());
        int others = 0;
        for (int block = 0; block < lives.count(); block++) {
            others += lives.site(block) == site && !lives.aliveAt(block, e.at()) && lives.died(block) != Lives.NEVER
                    ? 1
                    : 0;
        }
        return others >= group.size();
    }

    /** Between how many inputs and the next a model made something that stays. */
    private static int between(int[] made, List<Integer> group) {
        int count = 0;
        for (int i = 0; i + 1 < group.size(); i++) {
            int from = group.get(i);
            int to = group.get(i + 1);
            count += java.util.Arrays.stream(made).anyMatch(block -> block > from && block < to) ? 1 : 0;
        }
        return count;
    }
}
