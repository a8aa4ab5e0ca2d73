package io.vramlab.install.diagnosis;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Lives;
import io.vramlab.memory.Sizes;

/** Without stacks and without a period: the least in use rises from stretch to stretch, so something is kept. A guess at what. */
final class RisingTroughs implements Detector {

    private static final int OFTEN = 8;
    private static final double CHURN = 1;
    private static final double LEAST_SHARE = 0.3;
    /** The part of a history over which a rise is looked for leaves so much out. */
    private static final double WARM_UP = 0.3;
    /** What rises in every stretch of the history tells more than what came since least was in use. */
    private static final double MORE_THAN_A_STEP = 0.96;
    /** Where nothing failed and sizes all differ: of so many turns ... */
    private static final int MANY_TURNS = 30;
    /** ... so many must have left something ... */
    private static final double NEARLY_ALL_TURNS = 0.8;
    /** ... in either half of what they left: a table that was filled, or a warm-up, leaves all of it early. */
    private static final double LEAST_OF_HALF = 0.3;

    @Override
    public Optional<Finding> look(Evidence e) {
        if (e.hasStacks() || e.isBounded() || e.figures().cause() != Figures.Cause.LEAK || isOnePass(e)) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        Map<Long, Integer> sizes = new HashMap<>();
        int[] weights = e.ledger().before();
        for (int block : e.alive(block -> Arrays.binarySearch(weights, block) < 0)) {
            sizes.merge(lives.bytes(block), 1, Integer::sum);
        }
        sizes.values().removeIf(count -> count < OFTEN);
        long sum = sizes.entrySet().stream().mapToLong(size -> size.getKey() * size.getValue()).sum();
        boolean alike = e.share(sum) >= LEAST_SHARE;
        int[] kept = e.alive(block -> sizes.containsKey(lives.bytes(block)) && Arrays.binarySearch(weights, block) < 0);
        int[] left = alike || e.failed() ? kept : ofEachTurn(e);
        // within one step what it makes rises all the time, and little goes
        if (left.length == 0 && !e.failed()
                || kept.length > 0 && e.story().freed(Math.max(0, lives.born(kept[0])), e.at()) < CHURN * sum) {
            return Optional.empty();
        }
        boolean graph = BlocksATurn.areSeveral(e, left);
        return Optional.of(new Finding(graph ? CauseKind.GRAPH_KEPT : CauseKind.TENSORS_KEPT, Certainty.UNSURE,
                e.chiefLine(left, graph), "", alike ? Math.max(MORE_THAN_A_STEP, e.share(sum)) : risen(e),
                because(e, alike || e.failed(), left),
                Evidence.stacksWanted(), Blamed.of(left)));
    }

    private static List<String> because(Evidence e, boolean ofSizes, int[] left) {
        String rose = e.figures().growthInWords();
        if (left.length == 0) {
            return List.of(rose);
        }
        String sum = Sizes.both(e.lives().sum(left));
        return List.of(rose, ofSizes
                ? sum + " are in blocks of sizes of which there are " + OFTEN + " and more."
                : "Of " + e.ledger().turns() + " turns nearly all left something, " + sum + " in "
                        + Sizes.exact(left.length) + " blocks.");
    }

    /**
     * What the turns left, whatever its sizes, where it is much, nearly every one of many turns left some, and late ones as well as
     * early ones; nothing else.
     */
    private static int[] ofEachTurn(Evidence e) {
        Lives lives = e.lives();
        Ledger ledger = e.ledger();
        int[] left = e.alive(block -> ledger.turn(block) >= 0 && ledger.turn(block) < ledger.turns()
                && !WorkspaceBlocks.isOne(e, block));
        long leaving = Arrays.stream(left).map(ledger::turn).distinct().count();
        double late = (double) lives.sum(Arrays.stream(left).filter(block -> 2 * ledger.turn(block) >= ledger.turns())
                .toArray()) / Math.max(1, lives.sum(left));
        boolean all = ledger.turns() >= MANY_TURNS && leaving >= NEARLY_ALL_TURNS * ledger.turns()
                && late >= LEAST_OF_HALF && late <= 1 - LEAST_OF_HALF;
        return all && e.share(lives.sum(left)) >= LEAST_SHARE ? left : new int[0];
    }

    private static boolean isOnePass(Evidence e) {
        return ManyPasses.isOne(e, Arrays.stream(e.ledger().before())
                .filter(block -> !WorkspaceBlocks.isOne(e, block)).toArray());
    }

    /** Of sizes that all differ nothing is known but how much they grew. */
    private static double risen(Evidence e) {
        Figures.Span growth = e.figures().growth();
        return Math.max(LEAST_SHARE, e.share(e.story().live(growth.to()) - e.story().live(growth.from()))
                / Math.max(1 - WARM_UP, (double) (growth.to() - growth.from()) / Math.max(1, e.at())));
    }
}
