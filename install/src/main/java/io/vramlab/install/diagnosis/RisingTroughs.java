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

    @Override
    public Optional<Finding> look(Evidence e) {
        if (e.hasStacks() || e.isBounded() || e.figures().cause() != Figures.Cause.LEAK) {
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
        // within one step what it makes rises all the time, and little goes
        if (!alike && !e.failed()
                || kept.length > 0 && e.story().freed(Math.max(0, lives.born(kept[0])), e.at()) < CHURN * sum) {
            return Optional.empty();
        }
        boolean graph = BlocksATurn.areSeveral(e, kept);
        return Optional.of(new Finding(graph ? CauseKind.GRAPH_KEPT : CauseKind.TENSORS_KEPT, Certainty.UNSURE,
                e.chiefLine(kept, graph), "", alike ? Math.max(MORE_THAN_A_STEP, e.share(sum)) : risen(e),
                List.of("The least in use between steps rose in every stretch of the history.",
                        Sizes.both(sum) + " are in blocks of sizes of which there are " + OFTEN + " and more."),
                Evidence.stacksWanted(), Blamed.of(kept)));
    }

    /** Of sizes that all differ nothing is known but how much they grew. */
    private static double risen(Evidence e) {
        Figures.Span growth = e.figures().growth();
        return Math.max(LEAST_SHARE, e.share(e.story().live(growth.to()) - e.story().live(growth.from()))
                / Math.max(1 - WARM_UP, (double) (growth.to() - growth.from()) / Math.max(1, e.at())));
    }
}
