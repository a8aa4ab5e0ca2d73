package io.vramlab.plan;

import java.util.List;
import java.util.Map;

/** Models whose parameters are shared out among processes: torch.distributed.fsdp. */
final class ShardedRules {

    /** A thread block copies 16 bytes for each of its 128 threads (CollectiveCopyCUDA, kChunkCatBytesPerBlock). */
    private static final long BLOCK = 128 * 16;
    private static final long ARRAYS = 6;
    private static final long ENDS = 2;

    private ShardedRules() {
    }

    static void add(Map<String, OperationRule> rules) {
        rules.put("fsdp.chunk_cat", ShardedRules::gradients);
    }

    /**
     * Gradients go side by side into one buffer, each process's part after the other's. What lies where is told to the kernel by
     * six arrays of 8 bytes for each gradient, two of them with an end, and one for each thread block (Shape.cu, chunk_cat).
     */
    private static void gradients(Operation o, RuleSteps s) {
        s.results();
        List<TensorForm> gradients = Operation.forms(o.argument(0));
        long processes = o.number(2, "num_chunks", 1);
        List<TensorForm> buffer = Operation.forms(o.argument(3, "out"));
        int element = buffer.isEmpty() ? Float.BYTES : buffer.getFirst().element();
        long blocks = 0;
        for (TensorForm g : gradients) {
            long rows = g.rank() == 0 ? 1 : g.shape()[0];
            long row = rows == 0 ? 0 : g.count() / rows;
            blocks += up((rows + processes - 1) / processes * row * element);
        }
        s.passing(Long.BYTES * (ARRAYS * gradients.size() + ENDS + blocks));
    }

    private static long up(long bytes) {
        return (bytes + BLOCK - 1) / BLOCK;
    }
}
