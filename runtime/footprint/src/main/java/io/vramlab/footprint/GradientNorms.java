package io.vramlab.footprint;

import java.util.List;

/** The buffer in which the norms of many tensors meet, which are cut into chunks (ForeachReduceOp.cu; docs/footprint.md, "Norms"). */
public final class GradientNorms {

    private static final long CHUNK = 65_536;

    private GradientNorms() {
    }

    /**
     * How many partial sums there are room for: as many for each tensor as the largest has chunks.
     *
     * @param elements
     *            of each tensor
     */
    public static long partialSums(List<Long> elements) {
        return elements.size() * elements.stream().mapToLong(n -> (n + CHUNK - 1) / CHUNK).max().orElse(0);
    }
}
