package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Story;
import io.vramlab.memory.Sizes;

/** Requests that failed one after another, with more in use after each than before the first attempt. */
final class RepeatedFailures implements Detector {

    private static final double LEAST_RISE = 0.15;

    @Override
    public Optional<Finding> look(Evidence e) {
        Story story = e.story();
        List<Integer> failures = story.failures().stream().filter(failure -> !e.isSurvived(failure)).toList();
        if (failures.size() < 2) {
            return Optional.empty();
        }
        int first = failures.getFirst();
        long before = Long.MAX_VALUE;
        int calm = -1;
        // before the attempt that failed first: the last time that least was in use, where models are there already
        for (int i = first; i >= 0; i--) {
            if (story.live(i) < before && story.live(i) >= stays(e)) {
                before = story.live(i);
                calm = i;
            }
        }
        int last = failures.getLast();
        long after = Long.MAX_VALUE;
        for (int i = first; i <= last; i++) {
            after = Math.min(after, story.live(i));
        }
        if (calm < 0 || after - before < LEAST_RISE * story.live(first)) {
            return Optional.empty();
        }
        // what a model makes on its way goes when an attempt is given up; what a program holds by right does not
        if (e.hasStacks() && e.lives().sum(Arrays.stream(e.lives().aliveAt(last))
                .filter(block -> Evidence.OF_A_STEP.contains(e.phase(block))).toArray()) < LEAST_RISE
                        * story.live(first)) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        int from = calm;
        int[] left = Arrays.stream(lives.aliveAt(last)).filter(block -> lives.born(block) > from).toArray();
        int[] until = Arrays.stream(left).map(block -> failures.stream().filter(failure -> failure >= lives.born(block))
                .findFirst().orElse(last)).toArray();
        String outer = e.chiefLine(left, true);
        String inner = e.chiefLine(left, false);
        return Optional.of(new Finding(Kind.FAILURES, e.hasStacks() ? Certainty.SURE : Certainty.UNSURE, outer,
                inner.equals(outer) ? "" : inner, 1,
                List.of(failures.size() + " requests failed. Before the first attempt "
                        + Sizes.both(before) + " were in use; after it never less than " + Sizes.both(after)
                        + ": what the attempts had made was not let go of."),
                e.hasStacks() ? "" : Evidence.stacksWanted(), new Blamed(left, until)));
    }

    /** Bytes of what was there to the end and came before everything that went: weights. */
    private static long stays(Evidence e) {
        Lives lives = e.lives();
        int firstFree = Integer.MAX_VALUE;
        for (int block = 0; block < lives.count(); block++) {
            firstFree = Math.min(firstFree, lives.died(block));
        }
        long sum = 0;
        for (int block : e.alive()) {
            if (e.hasStacks()
                    ? e.phase(block) == io.vramlab.install.story.Phase.PLACING
                    : lives.born(block) < firstFree && lives.born(block) < e.at() / 2) {
                sum += lives.bytes(block);
            }
        }
        return sum;
    }
}
