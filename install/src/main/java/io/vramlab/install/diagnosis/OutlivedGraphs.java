package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.Sizes;

/**
 * A line called a model, a backward pass ran, the line called it again, and what the first call made is still there: a graph that
 * the backward pass should have let go of, as a state that goes on from batch to batch with {@code retain_graph=True} keeps it.
 * Told from few turns, and where a turn is itself a loop.
 */
final class OutlivedGraphs implements Detector {

    /** So many turns at least left theirs. */
    private static final int TURNS = 2;
    private static final int SEVERAL = 3;
    /** ... or as many of a line, as of the steps of a recurrent network. */
    private static final int OFTEN = 8;
    private static final double LEAST_SHARE = 0.3;
    /** Of what the line's calls asked for a graph keeps so much. */
    private static final double GRAPH_PART = 0.2;
    /** With create_graph the backward pass leaves more than gradients, and a later one goes through it. */
    private static final double OF_BACKWARD = 0.1;
    /** The next step, like this one, leaves as much. */
    private static final double WEIGHT = 0.97;

    @Override
    public Optional<Finding> look(Evidence e) {
        if (!e.hasStacks() || e.isBounded()) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        int[] turns = turns(e);
        Map<String, Integer> lastTurn = new HashMap<>();
        for (int block = 0; block < lives.count() && lives.born(block) <= e.at(); block++) {
            if (lives.born(block) >= 0 && Evidence.OF_A_STEP.contains(e.phase(block)) && e.place(block).isKnown()) {
                lastTurn.put(e.place(block).outer(), turns[block]);
            }
        }
        Map<Integer, Set<Integer>> sites = new TreeMap<>();
        int[] kept = e.alive(block -> Evidence.OF_A_STEP.contains(e.phase(block)) && e.place(block).isKnown()
                && turns[block] < lastTurn.getOrDefault(e.place(block).outer(), -1)
                && !WorkspaceBlocks.isOne(e, block));
        Arrays.stream(kept).forEach(block -> sites.computeIfAbsent(turns[block], turn -> new HashSet<>())
                .add(lives.site(block)));
        Map<Integer, Integer> blocks = new HashMap<>();
        Arrays.stream(kept).forEach(block -> blocks.merge(turns[block], 1, Integer::sum));
        long several = sites.entrySet().stream().filter(turn -> turn.getValue().size() >= SEVERAL
                || blocks.get(turn.getKey()) >= OFTEN * turn.getValue().size()).count();
        if (several < TURNS || e.share(lives.sum(kept)) < LEAST_SHARE || !keepsMuch(e, kept, turns)
                || isSecondOrder(e, kept)) {
            return Optional.empty();
        }
        String outer = e.chiefLine(kept, true);
        String inner = e.chiefLine(kept, false);
        return Optional.of(new Finding(CauseKind.GRAPH_KEPT, Certainty.LIKELY, outer, inner.equals(outer) ? "" : inner,
                Math.max(WEIGHT, e.share(lives.sum(kept))),
                List.of(Sizes.both(lives.sum(kept)) + " in " + Sizes.exact(kept.length)
                        + " blocks were made by a model in "
                        + several
                        + " turns after which a backward pass ran and the same line called the model again."),
                "what holds them: a state or a loss that goes on from turn to turn without detach()", Blamed.of(kept)));
    }

    /** For each block how many backward passes had begun when it came; those before the history count as before the first. */
    private static int[] turns(Evidence e) {
        Lives lives = e.lives();
        int[] turns = new int[lives.count()];
        int passes = 0;
        boolean within = false;
        for (int block = 0; block < lives.count(); block++) {
            StoryPhase phase = lives.born(block) < 0 ? StoryPhase.UNKNOWN : e.phase(block);
            if (phase == StoryPhase.BACKWARD && !within) {
                passes++;
            }
            within = phase == StoryPhase.BACKWARD || within && !Evidence.OF_A_STEP.contains(phase);
            turns[block] = lives.born(block) < 0 ? -1 : passes;
        }
        return turns;
    }

    /** Whether of what the same lines asked for in those turns so much is there; single results are less. */
    private static boolean keepsMuch(Evidence e, int[] kept, int[] turns) {
        Lives lives = e.lives();
        Set<String> lines = new HashSet<>();
        Arrays.stream(kept).forEach(block -> lines.add(e.place(block).outer()));
        int last = Arrays.stream(kept).map(block -> turns[block]).max().orElse(0);
        long asked = 0;
        for (int block = 0; block < lives.count() && lives.born(block) <= e.at(); block++) {
            asked += lives.born(block) >= 0 && turns[block] <= last && Evidence.OF_A_STEP.contains(e.phase(block))
                    && lines.contains(e.place(block).outer()) ? lives.bytes(block) : 0;
        }
        return lives.sum(Arrays.stream(kept).filter(block -> lives.born(block) >= 0).toArray()) >= GRAPH_PART * asked;
    }

    private static boolean isSecondOrder(Evidence e, int[] kept) {
        Lives lives = e.lives();
        long weights = lives.sum(e.alive(block -> e.phase(block) == StoryPhase.PLACING));
        long left = lives.sum(e.alive(block -> e.phase(block) == StoryPhase.BACKWARD && lives.born(block) >= 0
                && !WorkspaceBlocks.isOne(e, block)));
        return left - weights > OF_BACKWARD * lives.sum(kept);
    }
}
