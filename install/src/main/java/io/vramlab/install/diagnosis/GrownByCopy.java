package io.vramlab.install.diagnosis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.memory.Sizes;

/** A chain of blocks of one line, each longer than the one before, which goes just after it came: a tensor that grows by cat. */
final class GrownByCopy implements Detector {

    private static final int FEWEST_LINKS = 8;
    private static final int FEWEST_LINKS_SEEN = 4;
    private static final int FEWEST_ENDS = 4;
    /** One that is so much of all that is needed tells as much as several. */
    private static final double LARGE_SHARE = 0.25;
    private static final double LITTLE_GROWTH = 1.5;
    private static final double LEAST_SHARE = 0.1;
    /** A model of so many layers has a cache for each; smaller blocks are none of a chain that matters. */
    private static final int MOST_CHAINS = 4096;
    /** So much larger may the next be: it is the same and a little more. */
    private static final double MOST_GROWTH = 2.01;
    /** Where sizes alone tell, the next comes so many allocations after. */
    private static final int NEAR = 64;
    /** The last part of a history. */
    private static final double LATE = 0.8;
    /** So many of the largest blocks may be such chains' ends. */
    private static final int MOST_ENDS = 32;

    @Override
    public Optional<Finding> look(Evidence e) {
        return e.hasStacks() ? byLine(e) : bySize(e);
    }

    private static Optional<Finding> byLine(Evidence e) {
        Lives lives = e.lives();
        Map<Integer, List<Integer>> ofLine = new HashMap<>();
        for (int block = 0; block < lives.count() && lives.born(block) <= e.at(); block++) {
            if (lives.site(block) != 0 && lives.born(block) >= 0 && lives.bytes(block) * MOST_CHAINS > e.needed()) {
                ofLine.computeIfAbsent(lives.site(block), site -> new ArrayList<>()).add(block);
            }
        }
        List<List<Integer>> all = ofLine.values().stream().flatMap(blocks -> chains(lives, blocks).stream()).toList();
        List<List<Integer>> chains = all.stream().filter(chain -> chain.size() >= FEWEST_LINKS).toList();
        if (!chains.isEmpty() || e.story().live(-1) == 0) {
            return finding(e, chains, Certainty.SURE, "");
        }
        // a history that was cut shows the last links of each layer's chain only
        List<List<Integer>> ends = all.stream().filter(chain -> chain.size() >= FEWEST_LINKS_SEEN
                && lives.bytes(chain.getLast()) < LITTLE_GROWTH * lives.bytes(chain.getFirst())).toList();
        boolean large = ends.stream().anyMatch(chain -> e.share(lives.bytes(chain.getLast())) >= LARGE_SHARE);
        return ends.size() < FEWEST_ENDS && !large
                ? Optional.empty()
                : finding(e, ends, Certainty.LIKELY, "a longer history: how long it has been growing");
    }

    /**
     * Where nothing failed: whether what grew is still growing at the history's end. A window that was filled, and a cache that
     * begins anew with each request, are as large as they will be.
     */
    private static boolean goesOn(Evidence e, List<List<Integer>> chains) {
        Lives lives = e.lives();
        long events = e.story().events().size();
        long largest = chains.stream().mapToLong(chain -> lives.bytes(chain.getLast())).max().orElse(0);
        List<List<Integer>> large = chains.stream().filter(chain -> 2 * lives.bytes(chain.getLast()) >= largest)
                .toList();
        long over = large.stream().filter(chain -> lives.died(chain.getLast()) < LATE * events).count();
        long growing = large.stream().filter(chain -> lives.born(chain.getLast()) >= LATE * events).count();
        return growing > over;
    }

    /**
     * A line's blocks in chains, each block after the smaller one that it replaced: the one that went soonest after it came. A line
     * within a model has one chain for each of its layers, whose blocks come in turn.
     */
    private static List<List<Integer>> chains(Lives lives, List<Integer> blocks) {
        List<List<Integer>> open = new ArrayList<>();
        List<List<Integer>> all = new ArrayList<>();
        for (int block : blocks) {
            open.removeIf(chain -> lives.died(chain.getLast()) < lives.born(block));
            // the one before the last is gone by now: what stays for longer is kept, not replaced
            List<Integer> own = open.stream().filter(chain -> follows(lives, chain.getLast(), block)
                    && (chain.size() < 2 || lives.died(chain.get(chain.size() - 2)) < lives.born(block)))
                    .min(Comparator.comparingInt(chain -> lives.died(chain.getLast()))).orElse(null);
            if (own == null) {
                own = new ArrayList<>();
                open.add(own);
                all.add(own);
            }
            own.add(block);
        }
        return all;
    }

    private static boolean follows(Lives lives, int before, int after) {
        return lives.bytes(after) > lives.bytes(before) && lives.bytes(after) < MOST_GROWTH * lives.bytes(before)
                && lives.died(before) > lives.born(after);
    }

    private static Optional<Finding> bySize(Evidence e) {
        Lives lives = e.lives();
        List<Integer> largest = IntStream.of(e.alive()).boxed()
                .sorted(Comparator.comparingLong((Integer block) -> -lives.bytes(block))).limit(MOST_ENDS).toList();
        List<List<Integer>> chains = new ArrayList<>();
        for (int end : largest) {
            List<Integer> chain = new ArrayList<>(List.of(end));
            for (int before = before(lives, end); before >= 0; before = before(lives, before)) {
                chain.addFirst(before);
            }
            if (chain.size() >= FEWEST_LINKS) {
                chains.add(chain);
            }
        }
        return finding(e, chains, Certainty.LIKELY, Evidence.stacksWanted());
    }

    /** The block that goes soonest after this one came, was there before, and is a little smaller. */
    private static int before(Lives lives, int block) {
        int found = -1;
        for (int other = block - 1; other >= Math.max(0, block - 8 * NEAR); other--) {
            boolean replaced = follows(lives, other, block) && lives.died(other) < lives.born(block) + NEAR;
            if (replaced && (found < 0 || lives.bytes(other) > lives.bytes(found))) {
                found = other;
            }
        }
        return found;
    }

    private static Optional<Finding> finding(Evidence e, List<List<Integer>> chains, Certainty certainty,
            String surer) {
        Lives lives = e.lives();
        int[] now = chains.stream().flatMap(List::stream).mapToInt(Integer::intValue)
                .distinct().filter(block -> lives.aliveAt(block, e.at())).toArray();
        long largest = chains.stream().mapToLong(chain -> lives.bytes(chain.getLast())).max().orElse(0);
        long held = Math.max(lives.sum(now), largest);
        if (chains.isEmpty() || e.share(held) < LEAST_SHARE || !e.failed() && !goesOn(e, chains)) {
            return Optional.empty();
        }
        List<Integer> chain = chains.stream().max(Comparator.comparingInt(List::size)).orElseThrow();
        int[] ends = chains.stream().mapToInt(List::getLast).toArray();
        int[] blamed = chains.stream().flatMap(List::stream).mapToInt(Integer::intValue).toArray();
        String line = e.chiefLine(ends, false);
        return Optional.of(new Finding(CauseKind.GROWN_BY_CAT, certainty, line, "", Math.min(1, 2 * e.share(held)),
                List.of(chain.size()
                        + " blocks followed each other, each a little larger than the one before, which went just"
                        + " after the larger one had come: from " + Sizes.both(lives.bytes(chain.getFirst())) + " to "
                        + Sizes.both(lives.bytes(chain.getLast())) + "."),
                surer, Blamed.of(blamed)));
    }
}
