package io.vramlab.memory.internal.bench;

import io.vramlab.device.internal.model.Backing;
import io.vramlab.device.internal.model.ModelMemory;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.HistoryOptions;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.StreamEvents;
import io.vramlab.memory.internal.whatif.ReplayProgress;
import io.vramlab.memory.internal.whatif.WhatIf;
import io.vramlab.memory.internal.whatif.WhatIfReport;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The allocator under JMH: {@code mvn -P bench -pl runtime/allocator -am test}. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class AllocatorBenchmarks {

    private static final long DEVICE_BYTES = 141L << 30;
    private static final long TOP_ADDRESS = 0x7f40_0000_0000L;

    private static CachingAllocator allocator(final boolean history) {
        final CachingAllocator allocator = new CachingAllocator(0,
                new ModelMemory("the benchmark's device", DEVICE_BYTES, TOP_ADDRESS, Backing.NONE),
                StreamEvents.IMMEDIATE);
        if (history) {
            allocator.recordHistory(new HistoryOptions("all", null, "all", 1_000_000, false, Set.of()));
        }
        return allocator;
    }

    /** An allocator that hands out and takes back one block. */
    @State(Scope.Thread)
    public static class Pair {

        @Param({"1024", "4194304"})
        private long bytes;
        @Param({"false", "true"})
        private boolean history;
        private CachingAllocator allocator;

        /** Starts empty. */
        @Setup
        public void open() {
            allocator = allocator(history);
        }
    }

    /** An allocator with many live blocks. */
    @State(Scope.Thread)
    public static class Churn {

        @Param({"1000", "20000"})
        private int live;
        @Param({"false", "true"})
        private boolean history;
        private CachingAllocator allocator;
        private long[] blocks;
        private long seed;

        /** Fills it. */
        @Setup
        public void open() {
            allocator = allocator(history);
            blocks = new long[live];
            seed = AllocatorLoops.churn(allocator, blocks, 20 * live, orders(), AllocatorLoops.seed());
        }

        private int orders() {
            return live == 1000 ? 15 : 14;
        }
    }

    /** A snapshot of 20,000 live blocks, and one with 50,000 events. */
    @State(Scope.Thread)
    public static class Recorded {

        private CachingAllocator full;
        private MemorySnapshot events;

        /** Records both. */
        @Setup
        public void open() {
            full = allocator(false);
            AllocatorLoops.churn(full, new long[20_000], 400_000, 14, AllocatorLoops.seed());
            final CachingAllocator busy = allocator(true);
            AllocatorLoops.churn(busy, new long[1000], 17_000, 15, AllocatorLoops.seed());
            events = MemorySnapshot.of(busy);
        }
    }

    /** One allocation and its free. */
    @Benchmark
    public long pair(final Pair state) {
        return AllocatorLoops.pairs(state.allocator, 1, state.bytes);
    }

    /** One random block replaced by another. */
    @Benchmark
    public long churn(final Churn state) {
        state.seed = AllocatorLoops.churn(state.allocator, state.blocks, 1, state.orders(), state.seed);
        return state.seed;
    }

    /** A snapshot taken and written. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    public void snapshot(final Recorded state) throws IOException {
        MemorySnapshot.of(state.full).writePickle(OutputStream.nullOutputStream());
    }

    /** A history replayed under the default settings. */
    @Benchmark
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    public WhatIfReport replay(final Recorded state) {
        return new WhatIf(state.events, 0, DEVICE_BYTES).run(List.of(""), ReplayProgress.NONE);
    }
}
