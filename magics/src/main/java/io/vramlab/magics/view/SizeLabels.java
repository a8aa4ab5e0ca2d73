package io.vramlab.magics.view;

import io.vramlab.magics.text.ReadableSizes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Names for the blocks of a history without stacks: by size, which tells layers, scores and states apart where no line does. With more
 * sizes than a list can show, by the powers of two that a size lies between.
 */
final class SizeLabels {

    private static final int MOST = 40;

    private final boolean exact;
    private final Map<Long, List<String>> known = new HashMap<>();

    private SizeLabels(boolean exact) {
        this.exact = exact;
    }

    /** Of these blocks; null where one of them has a stack, so that lines are told. */
    static SizeLabels of(Blocks blocks) {
        if (Arrays.stream(blocks.site, 0, blocks.count).anyMatch(site -> site != 0)) {
            return null;
        }
        return new SizeLabels(Arrays.stream(blocks.bytes, 0, blocks.count).distinct().limit(MOST + 1L).count() <= MOST);
    }

    List<String> of(long bytes) {
        long from = Math.max(Blocks.UNIT, Long.highestOneBit(bytes));
        return known.computeIfAbsent(exact ? bytes : from,
                size -> List.of(exact
                        ? "blocks of " + ReadableSizes.text(bytes)
                        : "blocks of " + ReadableSizes.text(from) + " to " + ReadableSizes.text(2 * from)));
    }
}
