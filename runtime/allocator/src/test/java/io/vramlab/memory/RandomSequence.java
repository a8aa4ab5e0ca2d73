package io.vramlab.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One random sequence of operations on a fresh allocator, its invariants checked on the way and at the end. */
final class RandomSequence {

    private static final long MIB = 1L << 20;
    private static final String[] SPLIT = {"", "max_split_size_mb:20", "max_split_size_mb:32,"
            + "max_non_split_rounding_mb:24"};
    private static final String[] ROUND = {"", "roundup_power2_divisions:4",
            "roundup_power2_divisions:[1:2,4:8,16:1,>:4]"};
    private static final String[] COLLECT = {"", "garbage_collection_threshold:0.5"};
    private static final String[] EXPAND = {"", "expandable_segments:True"};
    private static final String[] SEGMENT = {"", "large_segment_size_mb:12"};
    private static final long[] LIMITS = {0, 24 * MIB, 64 * MIB, 160 * MIB};
    private static final List<AllocatorSettings> SETTINGS = combinations();

    private final SplittableRandom random;
    private final PlannedMemory memory;
    private final RandomStreams streams = new RandomStreams();
    private final CachingAllocator allocator;
    private final int streamCount;
    private final List<Long> live = new ArrayList<>();
    private final List<MemPool> pools = new ArrayList<>();
    private final List<MemPool.Use> uses = new ArrayList<>();

    RandomSequence(final long seed) {
        random = new SplittableRandom(seed);
        final AllocatorSettings settings = SETTINGS.get((int) (seed % SETTINGS.size()));
        memory = new PlannedMemory(random.nextInt(4) == 0 ? 96 * MIB : 1L << 30);
        allocator = new CachingAllocator(0, memory, streams, settings, List::of);
        final long limit = LIMITS[(int) (seed / SETTINGS.size() % LIMITS.length)];
        if (limit > 0) {
            allocator.setMemoryLimit(limit);
        }
        streamCount = 1 + (int) (seed / SETTINGS.size() / LIMITS.length % 3);
        if (seed / SETTINGS.size() / LIMITS.length / 3 % 2 == 1) {
            pools.add(new MemPool(allocator, random.nextBoolean(), random.nextBoolean()));
            pools.add(new MemPool(allocator, false, false));
        }
        if (random.nextInt(4) == 0) {
            allocator.recordHistory(new HistoryOptions("all", null, "all", 1 + random.nextInt(20), false,
                    java.util.Set.of()));
        }
    }

    static int combinations(final boolean all) {
        return SETTINGS.size() * LIMITS.length * 3 * (all ? 2 : 1);
    }

    private static List<AllocatorSettings> combinations() {
        final List<AllocatorSettings> all = new ArrayList<>();
        for (final String segment : SEGMENT) {
            for (final String split : SPLIT) {
                for (final String round : ROUND) {
                    for (final String collect : COLLECT) {
                        for (final String expand : EXPAND) {
                            final List<String> parts = new ArrayList<>(List.of(segment, split, round, collect, expand));
                            parts.removeIf(String::isEmpty);
                            all.add(AllocatorSettings.DEFAULT.with(String.join(",", parts)));
                        }
                    }
                }
            }
        }
        return all;
    }

    void run(final int operations) {
        for (int i = 0; i < operations; i++) {
            step();
            if (i % 4 == 3) {
                Invariants.check(allocator);
            }
        }
        finish();
    }

    private void step() {
        final int dice = random.nextInt(100);
        if (dice < 50) {
            allocate();
        } else if (dice < 80) {
            free();
        } else if (dice < 88) {
            if (!live.isEmpty()) {
                allocator.recordStream(live.get(random.nextInt(live.size())), random.nextInt(streamCount));
            }
        } else if (dice < 93) {
            streams.advance(random.nextInt(3));
        } else if (dice < 95) {
            allocator.emptyCache();
        } else if (dice < 96) {
            allocator.resetPeakMemoryStats();
        } else if (!pools.isEmpty()) {
            route();
        }
    }

    private void allocate() {
        final long bytes = size();
        try {
            final long address = allocator.allocate(bytes, random.nextInt(streamCount));
            if (bytes > 0) {
                live.add(address);
            }
        } catch (final OutOfMemoryException e) {
            if (e.requested() != bytes) {
                throw new AssertionError("the exception tells of another request", e);
            }
        }
    }

    private long size() {
        return switch (random.nextInt(8)) {
            case 0 -> random.nextLong(2000);
            case 1, 2 -> 1 + random.nextLong(MIB);
            case 3 -> MIB * (1 + random.nextInt(24)) + (random.nextInt(3) - 1) * 512L;
            case 4 -> 1 + random.nextLong(12 * MIB);
            case 5 -> 10 * MIB + random.nextLong(20 * MIB);
            case 6 -> 512L * (1 + random.nextInt(3));
            default -> 1 + random.nextLong(3 * MIB);
        };
    }

    private void free() {
        if (!live.isEmpty()) {
            final int i = random.nextInt(live.size());
            final long address = live.get(i);
            live.set(i, live.getLast());
            live.removeLast();
            allocator.free(address);
        }
    }

    private void route() {
        if (!uses.isEmpty() && random.nextInt(3) > 0) {
            uses.removeLast().close();
        } else {
            uses.add(pools.get(random.nextInt(pools.size())).use());
        }
    }

    /** Everything that was handed out is given up: then nothing may be left. */
    private void finish() {
        uses.forEach(MemPool.Use::close);
        while (!live.isEmpty()) {
            free();
        }
        pools.forEach(MemPool::close);
        allocator.emptyCache();
        Invariants.check(allocator);
        allocator.emptyCache();
        if (allocator.reservedBytes() != 0 || memory.freeBytes() != memory.totalBytes()
                || !allocator.segments().isEmpty()) {
            throw new AssertionError("left at the end: " + allocator.segments());
        }
    }
}
