package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.Sizes;

/** One line made sets of weights of equal sizes again and again, with training or inference in between, and all are there: models of a sweep. */
final class MadeAgain implements Detector {

    private static final int FEWEST_SETS = 3;
    private static final int FEWEST_BLOCKS = 2;
    private static final double LEAST_SHARE = 0.15;
    private static final double ALIKE = 0.8;

    @Override
    public Optional<Finding> look(Evidence e) {
        if (!e.hasStacks()) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        Map<String, List<Integer>> ofLine = new LinkedHashMap<>();
        for (int block : e.alive(block -> e.phase(block) == StoryPhase.PLACING && lives.born(block) >= 0
                && e.place(block).isKnown())) {
            ofLine.computeIfAbsent(e.place(block).outer(), line -> new ArrayList<>()).add(block);
        }
        Finding best = null;
        for (List<Integer> blocks : ofLine.values()) {
            Finding found = sets(e, blocks);
            best = found != null && (best == null || found.share() > best.share()) ? found : best;
        }
        return Optional.ofNullable(best);
    }

    private static Finding sets(Evidence e, List<Integer> blocks) {
        Lives lives = e.lives();
        List<List<Integer>> sets = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            if (i == 0 || worked(e, blocks.get(i - 1), blocks.get(i))) {
                sets.add(new ArrayList<>());
            }
            sets.getLast().add(blocks.get(i));
        }
        long[] sizes = sizes(lives, sets.getFirst());
        long alike = sets.stream().filter(set -> Arrays.equals(sizes(lives, set), sizes)).count();
        if (sizes.length < FEWEST_BLOCKS || alike < FEWEST_SETS || alike < ALIKE * (sets.size() - 1)) {
            return null;
        }
        // with each model its gradients and its optimizer's state stay: what came before the last was made
        int last = lives.born(sets.getLast().getFirst());
        int[] kept = e.alive(block -> lives.born(block) >= lives.born(blocks.getFirst())
                && (lives.born(block) < last || e.phase(block) == StoryPhase.PLACING));
        if (e.share(lives.sum(kept)) < LEAST_SHARE) {
            return null;
        }
        int[] until = Arrays.stream(kept).map(block -> {
            int next = e.at();
            for (List<Integer> set : sets) {
                int begins = lives.born(set.getFirst());
                next = begins > lives.born(block) ? Math.min(next, begins) : next;
            }
            return next;
        }).toArray();
        String outer = e.chiefLine(blocks.stream().mapToInt(Integer::intValue).toArray(), true);
        return new Finding(CauseKind.TENSORS_KEPT, Certainty.LIKELY, outer, "", Math.max(0.9, e.share(lives.sum(kept))),
                List.of(sets.size() + " times the same line placed " + Sizes.exact(sizes.length)
                        + " weights of the same sizes, "
                        + Sizes.both(Arrays.stream(sizes).sum())
                        + " each time, with work in between, and all are still there: with what was made for them "
                        + Sizes.both(lives.sum(kept)) + "."),
                "what holds the earlier models: a list, a dictionary, the results of a sweep", new Blamed(kept, until));
    }

    /** Whether something was computed between two blocks. */
    static boolean worked(Evidence e, int from, int to) {
        for (int block = from + 1; block < to; block++) {
            StoryPhase phase = e.phase(block);
            if (Evidence.OF_A_STEP.contains(phase) || phase == StoryPhase.OPTIMIZER || phase == StoryPhase.BACKWARD) {
                return true;
            }
        }
        return false;
    }

    private static long[] sizes(Lives lives, List<Integer> set) {
        return set.stream().mapToLong(lives::bytes).sorted().toArray();
    }
}
