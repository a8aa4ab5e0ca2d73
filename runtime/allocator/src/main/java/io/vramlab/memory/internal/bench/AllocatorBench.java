package io.vramlab.memory.internal.bench;

import io.vramlab.device.DeviceMemory;
import io.vramlab.device.internal.model.Backing;
import io.vramlab.device.internal.model.ModelMemory;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.HistoryOptions;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.StreamEvents;
import io.vramlab.memory.internal.whatif.ReplayProgress;
import io.vramlab.memory.internal.whatif.WhatIf;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** Measures the allocator on a device without contents: medians of several rounds, after warming up. */
public final class AllocatorBench {

    private static final int ROUNDS = 7;
    private static final int OPERATIONS = 300_000;
    private static final long DEVICE_BYTES = 141L << 30;
    private static final long TOP_ADDRESS = 0x7f40_0000_0000L;
    private static final int RING = 1_000_000;

    private AllocatorBench() {
    }

    /**
     * All figures. Names ending in _ns are nanoseconds per pair or replacement and are those of performance.py; those
     * ending in _ms are milliseconds and ours alone. Takes a few seconds.
     *
     * @param progress
     *            told before each figure
     */
    public static Map<String, Double> run(final ReplayProgress progress) {
        final Map<String, DoubleSupplier> figures = new LinkedHashMap<>();
        figures.put("pair_1KiB_ns", () -> pairs(1024, false));
        figures.put("pair_4MiB_ns", () -> pairs(4 << 20, false));
        figures.put("churn_1000live_ns", () -> churn(1000, 15, false));
        figures.put("churn_20000live_ns", () -> churn(20_000, 14, false));
        figures.put("pair_1KiB_history_ns", () -> pairs(1024, true));
        figures.put("churn_1000live_history_ns", () -> churn(1000, 15, true));
        figures.put("snapshot_20000blocks_ms", AllocatorBench::snapshot);
        figures.put("replay_50000events_ms", AllocatorBench::replay);
        final Map<String, Double> results = new LinkedHashMap<>();
        figures.forEach((name, figure) -> {
            progress.at(name, results.size(), figures.size());
            results.put(name, figure.getAsDouble());
        });
        return results;
    }

    private static CachingAllocator allocator(final boolean history) {
        final DeviceMemory memory = new ModelMemory("the benchmark's device", DEVICE_BYTES, TOP_ADDRESS, Backing.NONE);
        final CachingAllocator allocator = new CachingAllocator(0, memory, StreamEvents.IMMEDIATE);
        if (history) {
            allocator.recordHistory(new HistoryOptions("all", null, "all", RING, false, java.util.Set.of()));
        }
        return allocator;
    }

    private static double pairs(final long bytes, final boolean history) {
        final CachingAllocator allocator = allocator(history);
        return median(OPERATIONS, 1e0, () -> AllocatorLoops.pairs(allocator, OPERATIONS, bytes));
    }

    private static double churn(final int live, final int orders, final boolean history) {
        final CachingAllocator allocator = allocator(history);
        final long[] blocks = new long[live];
        final long[] state = {AllocatorLoops.seed()};
        return median(OPERATIONS, 1e0,
                () -> state[0] = AllocatorLoops.churn(allocator, blocks, OPERATIONS, orders, state[0]));
    }

    /** Taking and writing a snapshot of 20,000 live blocks. */
    private static double snapshot() {
        final CachingAllocator allocator = allocator(false);
        AllocatorLoops.churn(allocator, new long[20_000], 400_000, 14, AllocatorLoops.seed());
        return median(1, 1e6, () -> {
            try {
                MemorySnapshot.of(allocator).writePickle(OutputStream.nullOutputStream());
            } catch (final IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Replaying a history of 50,000 events under the default settings. */
    private static double replay() {
        final CachingAllocator allocator = allocator(true);
        AllocatorLoops.churn(allocator, new long[1000], 17_000, 15, AllocatorLoops.seed());
        final MemorySnapshot snapshot = MemorySnapshot.of(allocator);
        return median(1, 1e6, () -> new WhatIf(snapshot, 0, DEVICE_BYTES).run(List.of(""), ReplayProgress.NONE));
    }

    /** The median time of one operation, in units of {@code unit} nanoseconds, after as many rounds of warming up. */
    private static double median(final int operations, final double unit, final Runnable work) {
        final double[] times = new double[ROUNDS];
        for (int round = -ROUNDS; round < ROUNDS; round++) {
            final long start = System.nanoTime();
            work.run();
            final long time = System.nanoTime() - start;
            if (round >= 0) {
                times[round] = time / unit / operations;
            }
        }
        Arrays.sort(times);
        return times[ROUNDS / 2];
    }
}
