package io.vramlab.install.diagnosis;

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
    private static final double LEAST_SHARE = 0.3;
    private static final double LARGE_PART = 0.1;
    private static final int SEVERAL = 3;

    @Override
    public Optional<Finding> look(Evidence e) {
        if (e.hasStacks() || e.figures().cause() != Figures.Cause.LEAK) {
            return Optional.empty();
        }
        Lives lives = e.lives();
        Map<Long, Integer> sizes = new HashMap<>();
        for (int block : e.alive()) {
            sizes.merge(lives.bytes(block), 1, Integer::sum);
        }
        sizes.values().removeIf(count -> count < OFTEN);
        long sum = sizes.entrySet().stream().mapToLong(size -> size.getKey() * size.getValue()).sum();
        // of sizes that all differ nothing is known but that they grow: any better explanation goes before
        boolean alike = e.share(sum) >= LEAST_SHARE;
        long several = sizes.entrySet().stream().filter(size -> size.getKey() * size.getValue() >= LARGE_PART * sum)
                .count();
        int[] kept = e.alive(block -> sizes.containsKey(lives.bytes(block)));
        return Optional.of(new Finding(several >= SEVERAL ? Kind.GRAPH_KEPT : Kind.TENSORS_KEPT, Certainty.UNSURE, "",
                "", alike ? Math.max(0.9, e.share(sum)) : LEAST_SHARE,
                List.of("The least in use between steps rose in every stretch of the history.",
                        Sizes.both(sum) + " are in blocks of sizes of which there are " + OFTEN + " and more."),
                Evidence.stacksWanted(), Blamed.of(kept)));
    }
}
