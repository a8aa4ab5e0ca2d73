package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.Sizes;

/**
 * Memory that a line leaves behind nearly whenever it is reached, though no period shows: once in an epoch, for some batches only,
 * in steps of which none is like another. A line is reached anew when another line of the user's asked for memory in between.
 */
final class KeptNowAndThen implements Detector {

    private static final int FEWEST_TIMES = 6;
    private static final double LEAST_SHARE = 0.25;
    /** So many of the times lie in the later half: it goes on. */
    private static final double STILL = 0.25;
    /** Of the blocks of a line that stayed for longer than one turn so many went: what is there will go too. */
    private static final double WENT_BEFORE = 0.25;
    private static final double LEAST_WAITING = 0.3;
    private static final int SEVERAL = 3;
    private static final double MOSTLY = 0.9;
    private static final Set<StoryPhase> NO_LEAK = Set.of(StoryPhase.PLACING, StoryPhase.OPTIMIZER, StoryPhase.LOADING,
            StoryPhase.BACKWARD,
            StoryPhase.UNKNOWN);

    @Override
    public Optional<Finding> look(Evidence e) {
        if (!e.hasStacks() || e.isBounded()
                || e.story().at(e.at()).waiting() > LEAST_WAITING * e.story().live(e.at())) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        int[] turns = turns(e);
        int[] passes = passes(e);
        Set<Long> ofWeights = new HashSet<>();
        for (int block : e
                .alive(block -> e.phase(block) == StoryPhase.PLACING || e.phase(block) == StoryPhase.BACKWARD)) {
            ofWeights.add(lives.bytes(block));
        }
        Map<String, List<Integer>> ofLine = new HashMap<>();
        for (int block : e.alive(block -> lives.born(block) >= 0 && !NO_LEAK.contains(e.phase(block))
                && e.place(block).isKnown() && !WorkspaceBlocks.isOne(e, block))) {
            ofLine.computeIfAbsent(e.place(block).outer(), line -> new ArrayList<>()).add(block);
        }
        List<Integer> kept = new ArrayList<>();
        int most = 0;
        for (List<Integer> blocks : ofLine.values()) {
            // a loop over the weights is no loop over steps: between two of these a backward pass ran
            long copies = blocks.stream().filter(block -> ofWeights.contains(lives.bytes(block))
                    || e.phase(block) == StoryPhase.OTHER && isOfAnotherType(ofWeights, lives.bytes(block))).count();
            int[] turn = copies >= MOSTLY * blocks.size() ? passes : turns;
            int[] times = blocks.stream().mapToInt(block -> turn[block]).distinct().toArray();
            int middle = (lives.born(blocks.getFirst()) + e.at()) / 2;
            long late = blocks.stream().filter(block -> lives.born(block) > middle)
                    .mapToInt(block -> turn[block]).distinct().count();
            if (times.length >= FEWEST_TIMES && late >= STILL * times.length && !goes(e, turns, blocks)) {
                kept.addAll(blocks);
                most = Math.max(most, times.length);
            }
        }
        int[] blocks = kept.stream().mapToInt(Integer::intValue).sorted().toArray();
        if (e.share(lives.sum(blocks)) < LEAST_SHARE || new KeptEachStep().look(e).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(finding(e, turns, blocks, most));
    }

    /** An optimizer written out keeps its state in a type of twice or half the width. */
    private static boolean isOfAnotherType(Set<Long> ofWeights, long bytes) {
        return ofWeights.contains(2 * bytes) || bytes % 2 == 0 && ofWeights.contains(bytes / 2);
    }

    private static Finding finding(Evidence e, int[] turns, int[] kept, int times) {
        Lives lives = e.lives();
        Map<Integer, Set<Integer>> ofSite = new HashMap<>();
        for (int block : kept) {
            ofSite.computeIfAbsent(lives.site(block), site -> new HashSet<>()).add(turns[block]);
        }
        // of a line that is passed several times a turn, as an activation function's, each counts
        Map<Integer, Integer> count = new HashMap<>();
        Arrays.stream(kept).forEach(block -> count.merge(lives.site(block), 1, Integer::sum));
        long regular = Arrays.stream(kept).filter(block -> Evidence.OF_A_STEP.contains(e.phase(block)))
                .map(lives::site).distinct().filter(site -> 2 * ofSite.get(site).size() >= times)
                .mapToLong(site -> count.get(site) / ofSite.get(site).size()).sum();
        boolean graph = regular >= SEVERAL;
        int[] ofModel = Arrays.stream(kept).filter(block -> Evidence.OF_A_STEP.contains(e.phase(block))).toArray();
        String outer = e.chiefLine(graph ? ofModel : kept, true);
        String inner = e.chiefLine(graph ? ofModel : kept, false);
        int[] until = Arrays.stream(kept).map(block -> Math.min(e.at(), lastOfTurn(lives, turns, block))).toArray();
        return new Finding(graph ? CauseKind.GRAPH_KEPT : CauseKind.TENSORS_KEPT, Certainty.LIKELY,
                graph ? outer : inner,
                graph && !inner.equals(outer) ? inner : "", Math.max(0.9, e.share(lives.sum(kept))),
                List.of(times + " times a line was reached that left memory behind: " + Sizes.both(lives.sum(kept))
                        + " in " + Sizes.exact(kept.length) + " blocks, and other lines ran in between.",
                        graph
                                ? "What is left are several blocks that a model made on its way to its result, as a graph"
                                        + " keeps them for a backward pass."
                                : "What is left are single results, not what a model made on its way to them."),
                "a longer history: whether these blocks are let go of at some time", new Blamed(kept, until));
    }

    /** For each block the turn in which it came: how often another line had asked for memory before, or one line began anew. */
    private static int[] turns(Evidence e) {
        Lives lives = e.lives();
        int[] turns = new int[lives.count()];
        int mostLayers = mostAlike(e);
        int turn = 0;
        for (int from = 0, to; from < lives.count(); from = to) {
            to = from + 1;
            while (to < lives.count() && (lives.born(to) < 0 || lives.born(from) >= 0
                    && e.place(to).caller() == e.place(from).caller())) {
                to++;
            }
            turn++;
            long begins = OneLineLoop.begins(lives, from, to, mostLayers);
            for (int block = from; block < to; block++) {
                turn += block > from && begins != OneLineLoop.NONE && OneLineLoop.key(lives, from, to, block) == begins
                        ? 1
                        : 0;
                turns[block] = turn;
            }
        }
        return turns;
    }

    /** How many weights are equal, at most: so many layers may be, and repeat what they ask for. */
    private static int mostAlike(Evidence e) {
        Map<Long, Integer> counts = new HashMap<>();
        Arrays.stream(e.alive(block -> e.phase(block) == StoryPhase.PLACING))
                .forEach(block -> counts.merge(e.lives().bytes(block), 1, Integer::sum));
        return counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /** For each block how many backward passes had begun before. */
    private static int[] passes(Evidence e) {
        Lives lives = e.lives();
        int[] passes = new int[lives.count()];
        boolean within = false;
        int pass = 0;
        for (int block = 0; block < lives.count(); block++) {
            boolean backward = lives.born(block) >= 0 && e.phase(block) == StoryPhase.BACKWARD;
            pass += backward && !within ? 1 : 0;
            within = backward;
            passes[block] = pass;
        }
        return passes;
    }

    /** Whether blocks of these lines stayed over turns and went at other times. */
    private static boolean goes(Evidence e, int[] turns, List<Integer> blocks) {
        Lives lives = e.lives();
        Set<Integer> sites = new HashSet<>();
        blocks.forEach(block -> sites.add(lives.site(block)));
        // the time from one turn of the line to its next, the usual one
        int[] born = blocks.stream().mapToInt(lives::born).toArray();
        int[] between = new int[born.length - 1];
        for (int i = 0; i < between.length; i++) {
            between[i] = born[i + 1] - born[i];
        }
        int longest = Arrays.stream(between).sorted().skip(between.length * 9L / 10).findFirst().orElse(0);
        int went = 0;
        for (int block = 0; block < lives.count() && lives.born(block) < e.at(); block++) {
            if (sites.contains(lives.site(block)) && lives.born(block) >= 0 && lives.died(block) <= e.at()
                    && lives.died(block) - lives.born(block) > Math.max(2, longest)) {
                went++;
            }
        }
        return went >= WENT_BEFORE * blocks.size();
    }

    private static int lastOfTurn(Lives lives, int[] turns, int block) {
        int last = block;
        while (last + 1 < turns.length && turns[last + 1] <= turns[block] + 1) {
            last++;
        }
        return Math.max(lives.born(block), lives.born(last));
    }
}
