package io.vramlab.memory.internal.bench;

import example.DeepCode;
import io.vramlab.device.internal.model.Backing;
import io.vramlab.device.internal.model.ModelMemory;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.HistoryOptions;
import io.vramlab.memory.StreamEvents;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What call sites cost, by the depth of the user's code: {@code mvn -P bench -pl runtime/allocator -am test -Dbench=CallSite}. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xss64m")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class CallSiteBenchmarks {

    private static final int PAIRS = 2_000;

    @Param({"1", "16", "100", "10000"})
    private int depth;
    private CachingAllocator allocator;

    /** Records everything, with call sites. */
    @Setup
    public void open() {
        allocator = new CachingAllocator(0,
                new ModelMemory("the benchmark's device", 1L << 30, 0x7f40_0000_0000L, Backing.NONE),
                StreamEvents.IMMEDIATE);
        allocator.recordHistory(new HistoryOptions("all", "all", "all", 10_000, false, Set.of()));
    }

    /** An allocation or a free: two events a pair. */
    @Benchmark
    @OperationsPerInvocation(2 * PAIRS)
    public long event() {
        return DeepCode.pairs(depth, allocator, PAIRS);
    }
}
