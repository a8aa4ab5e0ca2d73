package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;

/** Has sessions run on two sides, and tells where they saw different things. */
final class Judge {

    private static final int AT_ONCE = 500;
    private static final int SHRUNK = 3;

    private final Side ours;
    private final Side theirs;
    private final LongFunction<CellSequence> generator;
    private int judged;
    private int cells;
    private int different;
    private int unjudged;

    /** A judge over the sessions of a generator. */
    Judge(Side ours, Side theirs, LongFunction<CellSequence> generator) {
        this.ours = ours;
        this.theirs = theirs;
        this.generator = generator;
    }

    /**
     * Judges the sessions of seeds from {@code from} to {@code to} - 1.
     *
     * @return the first differences, each with the smallest session that shows it
     */
    List<String> judge(long from, long to) throws Exception {
        try (ExecutorService beside = Executors.newSingleThreadExecutor()) {
            return judge(from, to, beside);
        }
    }

    private List<String> judge(long from, long to, ExecutorService beside) throws Exception {
        List<String> told = new ArrayList<>();
        for (long begin = from; begin < to; begin += AT_ONCE) {
            List<CellSequence> sequences = new ArrayList<>();
            for (long seed = begin; seed < Math.min(to, begin + AT_ONCE); seed++) {
                sequences.add(generator.apply(seed));
            }
            Future<List<List<Seen>>> reference = beside.submit(() -> theirs.run(sequences));
            List<List<Seen>> seen = ours.run(sequences);
            List<List<Seen>> expected = reference.get();
            for (int i = 0; i < sequences.size(); i++) {
                if (expected.get(i) == null && theirs.broken().contains(sequences.get(i).seed())) {
                    unjudged++;
                    continue;
                }
                if (expected.get(i) == null) {
                    throw new AssertionError("the reference refuses\n" + sequences.get(i) + "\n" + theirs.refusals());
                }
                judged++;
                cells += sequences.get(i).cells().size();
                List<String> differences = Verdicts.differences(seen.get(i), expected.get(i));
                if (!differences.isEmpty()) {
                    different++;
                    // shrinking takes its time: told before it as well
                    System.err.println("seed " + sequences.get(i).seed() + " " + String.join("\n", differences));
                    told.add(described(sequences.get(i), differences, told.size() < SHRUNK));
                }
            }
        }
        return told;
    }

    private String described(CellSequence sequence, List<String> differences, boolean shrink) throws Exception {
        CellSequence least = shrink ? new Shrinker(ours, theirs).shrink(sequence) : sequence;
        List<String> left = shrink
                ? Verdicts.differences(ours.run(List.of(least)).getFirst(), theirs.run(List.of(least)).getFirst())
                : differences;
        return (shrink ? least.toString() : "seed " + sequence.seed()) + "\n==> " + String.join("\n", left);
    }

    /** How many sessions were compared so far. */
    int judged() {
        return judged;
    }

    @Override
    public String toString() {
        String all = "%d sessions of %d cells, %d different".formatted(judged, cells, different);
        return unjudged == 0 ? all : all + ", %d more over which javac itself breaks".formatted(unjudged);
    }
}
