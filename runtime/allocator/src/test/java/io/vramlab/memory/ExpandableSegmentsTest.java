package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpandableSegmentsTest {

    private final CachingAllocator allocator = new CachingAllocator(0, new PlannedMemory(1L << 30),
            StreamEvents.IMMEDIATE, AllocatorSettings.DEFAULT.with("expandable_segments:True"), List::of);

    @Test
    void goldenTraceOneMapsAndUnmapsAsPyTorchDid() {
        // docs/allocator.md, "With expandable segments": recorded on an H200
        allocator.recordHistory(HistoryOptions.withoutStacks());
        final long a = allocator.allocate(1000, 0);
        final long b = allocator.allocate(1_048_576, 0);
        final long c = allocator.allocate(3_145_728, 0);
        final long d = allocator.allocate(12_582_913, 0);
        allocator.free(a);
        final long e = allocator.allocate(16_777_216, 0);
        allocator.free(c);
        allocator.free(d);
        final long f = allocator.allocate(9_437_184, 0);
        allocator.free(b);
        allocator.emptyCache();
        allocator.free(e);
        allocator.emptyCache();
        allocator.free(f);
        allocator.emptyCache();

        final List<String> events = new ArrayList<>();
        for (final TraceEntry entry : allocator.history()) {
            if (entry.action() != TraceAction.FREE_COMPLETED) {
                events.add(entry.action().text() + " " + entry.size());
            }
        }
        assertEquals(List.of("segment_map 2097152", "alloc 1000", "alloc 1048576", "segment_map 20971520",
                "alloc 3145728", "alloc 12582913", "free_requested 1000", "segment_map 20971520", "alloc 16777216",
                "free_requested 3145728", "free_requested 12582913", "alloc 9437184", "free_requested 1048576",
                "segment_unmap 2097152", "free_requested 16777216", "segment_unmap 20971520", "free_requested 9437184",
                "segment_unmap 20971520"), events);
        final MemoryStats stats = allocator.stats();
        assertEquals(44_040_192, stats.get("reserved_bytes.all.peak"));
        assertEquals(33_554_944, stats.get("allocated_bytes.all.peak"));
        assertEquals(0, stats.get("segment.all.peak"));
        assertEquals(0, stats.get("inactive_split.all.peak"));
        assertEquals(3, stats.get("num_device_alloc"));
        assertEquals(3, stats.get("num_device_free"));
        assertEquals(List.of(), allocator.segments());
    }

    @Test
    void turningThemOffLeavesExpandableBlocksAloneAndOnAgainUsesThem() {
        final long first = allocator.allocate(30 << 20, 0);
        allocator.free(first);

        allocator.configure(allocator.settings().with("expandable_segments:False"));
        allocator.allocate(30 << 20, 0);
        assertEquals(1, allocator.stats().get("segment.all.current"));

        allocator.configure(allocator.settings().with("expandable_segments:True"));
        assertEquals(first, allocator.allocate(20 << 20, 0));
        Invariants.check(allocator);
    }
}
