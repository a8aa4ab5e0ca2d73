package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        if (e.hasStacks()) {
            return byLine(e, failures);
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
        Lives lives = e.lives();
        int from = calm;
        int[] left = Arrays.stream(lives.aliveAt(last))
                .filter(block -> lives.born(block) > from && !e.workspacesOfThreads().get(block)).toArray();
        // handles' workspaces stay for good, whatever failed
        if (lives.sum(left) < LEAST_RISE * story.live(first)) {
            return Optional.empty();
        }
        int[] until = Arrays.stream(left).map(block -> failures.stream().filter(failure -> failure >= lives.born(block))
                .findFirst().orElse(last)).toArray();
        String outer = e.chiefLine(left, true);
        String inner = e.chiefLine(left, false);
        return Optional.of(new Finding(CauseKind.FAILURES, Certainty.UNSURE, outer,
                inner.equals(outer) ? "" : inner, 1,
                List.of(failures.size() + " requests failed. Before the first attempt "
                        + Sizes.both(before) + " were in use; after it never less than " + Sizes.both(after)
                        + ": what the attempts had made was not let go of."),
                Evidence.stacksWanted(), new Blamed(left, until)));
    }

    /** What an attempt made is still there when the next one has made it anew by the same lines. */
    private static Optional<Finding> byLine(Evidence e, List<Integer> failures) {
        Lives lives = e.lives();
        int last = failures.getLast();
        // by line, since a recursion's stacks differ: what was asked for last, with what was refused
        Map<String, Integer> askedLast = new HashMap<>();
        for (int block = 0; block < lives.count() && lives.born(block) <= last; block++) {
            if (lives.born(block) >= 0) {
                askedLast.put(e.place(block).inner(), lives.born(block));
            }
        }
        failures.forEach(failure -> askedLast.merge(e.placeOf(failure).inner(), failure, Math::max));
        // an attempt begins with the first block that a later one made, or asked for, anew
        Map<Integer, Integer> begins = new HashMap<>();
        int[] there = Arrays.stream(lives.aliveAt(last)).filter(block -> lives.born(block) >= 0
                && e.place(block).isKnown() && !e.workspacesOfThreads().get(block)).toArray();
        for (int block : there) {
            int failed = failureAfter(failures, lives.born(block), last);
            // a line that asks for more and more is a loop, and no attempt that begins again
            boolean begun = !e.place(block).inner().equals(e.placeOf(failed).inner());
            if (begun && askedLast.getOrDefault(e.place(block).inner(), -1) > failed) {
                begins.merge(failed, lives.born(block), Math::min);
            }
        }
        int[] left = Arrays.stream(there).filter(block -> lives.born(block) >= begins
                .getOrDefault(failureAfter(failures, lives.born(block), last), Integer.MAX_VALUE)).toArray();
        long before = e.story().live(failures.getFirst());
        if (lives.sum(left) < LEAST_RISE * before) {
            return Optional.empty();
        }
        int[] until = Arrays.stream(left).map(block -> failureAfter(failures, lives.born(block), last)).toArray();
        String outer = e.chiefLine(left, true);
        String inner = e.chiefLine(left, false);
        return Optional.of(new Finding(CauseKind.FAILURES, Certainty.SURE, outer, inner.equals(outer) ? "" : inner, 1,
                List.of(failures.size() + " requests failed. When the last did, " + Sizes.both(lives.sum(left)) + " in "
                        + Sizes.exact(left.length)
                        + " blocks were there of earlier attempts, and the same lines had made them anew"
                        + " after: what the attempts had made was not let go of."),
                "", new Blamed(left, until)));
    }

    private static int failureAfter(List<Integer> failures, int event, int last) {
        return failures.stream().filter(failure -> failure >= event).findFirst().orElse(last);
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
                    ? e.phase(block) == io.vramlab.install.story.StoryPhase.PLACING
                    : lives.born(block) < firstFree && lives.born(block) < e.at() / 2) {
                sum += lives.bytes(block);
            }
        }
        return sum;
    }
}
