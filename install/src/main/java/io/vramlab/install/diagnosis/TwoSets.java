package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.install.story.Place;
import io.vramlab.install.story.StoryPhase;
import io.vramlab.memory.Sizes;

/** Two lines that hold blocks of the same sizes: two models, a model and its checkpoint, its average, its best weights. */
final class TwoSets implements Detector {

    private static final Set<StoryPhase> OF_WEIGHTS = Set.of(StoryPhase.PLACING, StoryPhase.LOADING, StoryPhase.COPYING,
            StoryPhase.OTHER,
            StoryPhase.UNKNOWN);
    private static final int FEWEST_BLOCKS = 4;
    private static final int MOST_LOOKED_AT = 4_000;
    private static final double LEAST_SHARE = 0.12;
    private static final double ALIKE = 0.9;
    /** A tenth of the smallest GPU's memory. */
    private static final long OF_ANY_GPU = 384L << 20;
    /** Sizes alone, where nothing failed: two sets that are most of what there is. */
    private static final double MUCH_OF_ALL = 0.2;

    @Override
    public Optional<Finding> look(Evidence e) {
        int[] weights = e.alive(block -> OF_WEIGHTS.contains(e.phase(block)));
        return e.hasStacks() ? byLine(e, weights) : bySequence(e, weights);
    }

    private static Optional<Finding> byLine(Evidence e, int[] weights) {
        Map<String, List<Integer>> byLine = new LinkedHashMap<>();
        for (int block : weights) {
            if (e.place(block).isKnown()) {
                byLine.computeIfAbsent(e.place(block).outer(), line -> new ArrayList<>()).add(block);
            }
        }
        List<int[]> sets = byLine.values().stream().filter(blocks -> blocks.size() >= FEWEST_BLOCKS)
                .map(blocks -> blocks.stream().mapToInt(Integer::intValue).toArray()).toList();
        Finding best = null;
        for (int a = 0; a < sets.size(); a++) {
            for (int b = a + 1; b < sets.size(); b++) {
                Finding found = pair(e, sets.get(a), sets.get(b));
                best = found != null && (best == null || found.share() > best.share()) ? found : best;
            }
        }
        Finding again = beingMade(e).or(() -> beingLoaded(e)).orElseGet(() -> madeAgain(e));
        return Optional.ofNullable(again != null && (best == null || again.share() > best.share()) ? again : best);
    }

    /** A model that failed to be made by the line that made the one that is there: a cell that is run again. */
    private static Finding madeAgain(Evidence e) {
        if (e.failingPlace().phase() != StoryPhase.PLACING) {
            return null;
        }
        Lives lives = e.lives();
        int[] ofLine = e.alive(block -> lives.born(block) >= 0 && e.phase(block) == StoryPhase.PLACING
                && e.place(block).outer().equals(e.failingPlace().outer()));
        int cut = -1;
        for (int i = 1; i < ofLine.length; i++) {
            cut = MadeAgain.worked(e, ofLine[i - 1], ofLine[i]) ? i : cut;
        }
        if (cut < FEWEST_BLOCKS || 2 * cut < ofLine.length) {
            return null;
        }
        int[] first = Arrays.copyOfRange(ofLine, 0, cut);
        int[] second = Arrays.copyOfRange(ofLine, cut, ofLine.length);
        if (second.length > first.length || !inOrder(lives, Arrays.copyOf(first, second.length), second)
                || e.share(lives.sum(first)) < LEAST_SHARE) {
            return null;
        }
        int[] until = new int[first.length];
        Arrays.fill(until, lives.born(second.length == 0 ? first[0] : second[0]));
        return new Finding(CauseKind.TWO_SETS, Certainty.LIKELY, e.failingPlace().outer(), "",
                Math.min(1, 2 * e.share(lives.sum(first))),
                List.of("The line that asked for more had made " + Sizes.exact(first.length) + " weights before, "
                        + Sizes.both(lives.sum(first)) + ", which were used and are still there, and had made "
                        + Sizes.exact(second.length) + " of the same sizes again."),
                "what holds the first model: the name that the second is bound to, until it is made",
                new Blamed(first, until));
    }

    private static Finding pair(Evidence e, int[] first, int[] second) {
        Lives lives = e.lives();
        long common = common(lives, first, second);
        if (common < ALIKE * Math.min(lives.sum(first), lives.sum(second)) || e.share(common) < LEAST_SHARE
                || isSlight(e, common)) {
            return null;
        }
        boolean loaded = any(e, first, StoryPhase.LOADING) || any(e, second, StoryPhase.LOADING);
        // what was made as no model's weights is the one too many
        boolean copied = any(e, second, StoryPhase.PLACING) && !any(e, first, StoryPhase.PLACING);
        int[] extra = any(e, first, StoryPhase.LOADING) || !loaded && copied ? first : second;
        return finding(e, loaded ? CauseKind.CHECKPOINT : CauseKind.TWO_SETS, Certainty.SURE, extra, first.length,
                common, "");
    }

    /** Whether nothing failed, and a set is little of what any GPU has: a target network or an average that fits is no fault. */
    private static boolean isSlight(Evidence e, long bytes) {
        return !e.failed() && bytes < OF_ANY_GPU;
    }

    /**
     * The line whose weights are being made when the request fails has asked, in the same order, for what another line's set has:
     * the second of two equal models, however little of it is there.
     */
    static Optional<Finding> beingMade(Evidence e) {
        Place failing = e.failingPlace();
        if (!e.hasStacks() || !e.failed() || !failing.isKnown()
                || failing.phase() != StoryPhase.PLACING && failing.phase() != StoryPhase.COPYING) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        Map<String, List<Integer>> byLine = new LinkedHashMap<>();
        for (int block : e.alive(block -> OF_WEIGHTS.contains(e.phase(block)) && e.place(block).isKnown())) {
            byLine.computeIfAbsent(e.place(block).outer(), line -> new ArrayList<>()).add(block);
        }
        List<Integer> begun = byLine.getOrDefault(failing.outer(), List.of());
        for (Map.Entry<String, List<Integer>> line : byLine.entrySet()) {
            int[] set = line.getValue().stream().mapToInt(Integer::intValue).toArray();
            if (!line.getKey().equals(failing.outer()) && set.length >= Math.max(FEWEST_BLOCKS, begun.size() + 1)
                    && !begun.isEmpty() && lives.bytes(set[begun.size()]) == e.asked()
                    && inOrder(lives, Arrays.copyOf(set, begun.size()),
                            begun.stream().mapToInt(Integer::intValue).toArray())
                    && e.share(lives.sum(set)) >= LEAST_SHARE) {
                return Optional.of(new Finding(CauseKind.TWO_SETS, Certainty.LIKELY, failing.outer(), "",
                        Math.min(1, 2 * e.share(lives.sum(set))),
                        List.of("A set of " + Sizes.exact(set.length) + " blocks, " + Sizes.both(lives.sum(set))
                                + ", is there, and the line that failed had asked for the first " + (begun.size() + 1)
                                + " of the same sizes in the same order."),
                        "the text of the line: whether both models are needed on the GPU", Blamed.of(set)));
            }
        }
        return Optional.empty();
    }

    /** Whether a file's tensor finds no room beside a weight of its size: what it is loaded into, or what is served until then, is there. */
    static boolean isLoadedAgain(Evidence e) {
        return e.failed() && e.askedIn() == StoryPhase.LOADING && e.alive(
                block -> e.phase(block) == StoryPhase.PLACING && e.lives().bytes(block) == e.asked()).length > 0;
    }

    private static Optional<Finding> beingLoaded(Evidence e) {
        int[] placed = e.alive(block -> e.phase(block) == StoryPhase.PLACING);
        return isLoadedAgain(e)
                ? Optional.of(new Finding(CauseKind.CHECKPOINT, Certainty.LIKELY, e.failingPlace().outer(), "",
                        Math.min(1, 2 * e.share(e.lives().sum(placed))),
                        List.of("The request was for a tensor of a file, " + Sizes.both(e.asked())
                                + ", and a weight of this size is there: the model that the file is for."),
                        "where the file is loaded to (map_location)", Blamed.of(placed)))
                : Optional.empty();
    }

    private static boolean any(Evidence e, int[] blocks, StoryPhase phase) {
        return Arrays.stream(blocks).anyMatch(block -> e.phase(block) == phase);
    }

    /** Bytes of the blocks that have a twin in the other set. */
    private static long common(Lives lives, int[] first, int[] second) {
        long[] a = Arrays.stream(first).mapToLong(lives::bytes).sorted().toArray();
        long[] b = Arrays.stream(second).mapToLong(lives::bytes).sorted().toArray();
        long common = 0;
        for (int i = 0, j = 0; i < a.length && j < b.length;) {
            if (a[i] == b[j]) {
                common += a[i];
                i++;
                j++;
            } else if (a[i] < b[j]) {
                i++;
            } else {
                j++;
            }
        }
        return common;
    }

    /** Without stacks: what came first, and right after it the same sizes in the same order. */
    private static Optional<Finding> bySequence(Evidence e, int[] weights) {
        Lives lives = e.lives();
        int[] early = Arrays.stream(weights).limit(MOST_LOOKED_AT).toArray();
        for (int length = early.length / 2; length >= FEWEST_BLOCKS; length--) {
            int[] first = Arrays.copyOfRange(early, 0, length);
            int[] second = Arrays.copyOfRange(early, length, 2 * length);
            boolean contiguous = second[length - 1] - first[0] < 2 * length + length / 2 + 2;
            boolean varied = !isPeriodic(lives, first);
            // in another order only where something failed: equal layers look so too
            if (contiguous && varied && (inOrder(lives, first, second) || e.failed() && same(lives, first, second))
                    && e.share(lives.sum(second)) >= (e.failed() ? LEAST_SHARE : MUCH_OF_ALL)
                    && !isSlight(e, lives.sum(second))) {
                return Optional.of(finding(e, CauseKind.TWO_SETS, Certainty.LIKELY, second, length, lives.sum(second),
                        Evidence.stacksWanted()));
            }
        }
        return Optional.empty();
    }

    /** Whether a set is itself a repetition, as of equal layers: then what repeats may be one model's. */
    private static boolean isPeriodic(Lives lives, int[] set) {
        for (int period = 1; period <= set.length / 2; period++) {
            int same = 0;
            for (int i = period; i < set.length; i++) {
                same += lives.bytes(set[i]) == lives.bytes(set[i - period]) ? 1 : 0;
            }
            if (same == set.length - period) {
                return true;
            }
        }
        return false;
    }

    private static boolean inOrder(Lives lives, int[] first, int[] second) {
        return Arrays.equals(Arrays.stream(first).mapToLong(lives::bytes).toArray(),
                Arrays.stream(second).mapToLong(lives::bytes).toArray());
    }

    /** In whichever order: a file's is not that in which a module moves its own and its children's. */
    private static boolean same(Lives lives, int[] first, int[] second) {
        return Arrays.equals(Arrays.stream(first).mapToLong(lives::bytes).sorted().toArray(),
                Arrays.stream(second).mapToLong(lives::bytes).sorted().toArray());
    }

    private static Finding finding(Evidence e, CauseKind kind, Certainty certainty, int[] extra, int count, long bytes,
            String surer) {
        int last = Arrays.stream(extra).boxed().map(e.lives()::born).max(Comparator.naturalOrder()).orElse(0);
        int[] until = new int[extra.length];
        Arrays.fill(until, last);
        return new Finding(kind, certainty, e.chiefLine(extra, true), "", Math.min(1, 2 * e.share(bytes)),
                List.of("Two sets of " + count + " blocks have the same sizes, " + Sizes.both(bytes) + " each"
                        + (kind == CauseKind.CHECKPOINT ? "; one of them was loaded from a file." : ".")),
                surer, new Blamed(extra, until));
    }
}
