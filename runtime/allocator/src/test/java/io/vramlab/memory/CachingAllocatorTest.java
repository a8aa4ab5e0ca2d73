package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CachingAllocatorTest {

    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;

    private final PlannedMemory memory = new PlannedMemory(1L << 30);
    private final RandomStreams streams = new RandomStreams();
    private final CachingAllocator allocator = new CachingAllocator(0, memory, streams);

    private long stat(final String key) {
        return allocator.stats().get(key);
    }

    @Test
    void aRequestIsRoundedTo512BytesAndCutFromATwoMebibyteSegment() {
        allocator.allocate(1000, 0);

        // 1000 -> 1024; the rest of the 2 MiB segment stays free
        assertEquals(1024, stat("allocated_bytes.all.current"));
        assertEquals(1000, stat("requested_bytes.all.current"));
        assertEquals(2 * MIB, stat("reserved_bytes.all.current"));
        assertEquals(2 * MIB - 1024, stat("inactive_split_bytes.all.current"));
    }

    @Test
    void segmentSizesFollowTheRoundedRequest() {
        for (final long[] expected : new long[][]{{MIB, 2 * MIB}, {MIB + 1, 20 * MIB}, {10 * MIB - 512, 20 * MIB},
                {10 * MIB, 10 * MIB}, {10 * MIB + 1, 12 * MIB}}) {
            final CachingAllocator fresh = new CachingAllocator(0, memory, streams);
            fresh.allocate(expected[0], 0);
            assertEquals(expected[1], fresh.reservedBytes(), "for " + expected[0]);
        }
    }

    @Test
    void zeroBytesLeaveNoTrace() {
        allocator.recordHistory(HistoryOptions.withoutStacks());

        assertEquals(0, allocator.allocate(0, 0));
        allocator.free(0);

        assertEquals(0, stat("allocation.all.allocated"));
        assertEquals(List.of(), allocator.history());
    }

    @Test
    void aFreedNeighbourIsMerged() {
        final long a = allocator.allocate(1024, 0);
        final long b = allocator.allocate(1024, 0);
        allocator.free(a);
        allocator.free(b);

        assertEquals(List.of(2 * MIB), allocator.segments().get(0).blocks().stream().map(BlockInfo::size).toList());
        assertEquals(0, stat("inactive_split.all.current"));
    }

    @Test
    void theSmallestBlockThatFitsIsTakenAndTheLowestAmongEquals() {
        final List<Long> blocks = new ArrayList<>();
        for (final long bytes : new long[]{4 * KIB, 512, 2 * KIB, 512, 2 * KIB, 512}) {
            blocks.add(allocator.allocate(bytes, 0));
        }
        allocator.free(blocks.get(0));
        allocator.free(blocks.get(4));
        allocator.free(blocks.get(2));

        assertEquals(blocks.get(2), allocator.allocate(2 * KIB, 0));
        assertEquals(blocks.get(4), allocator.allocate(2 * KIB, 0));
        assertEquals(blocks.get(0), allocator.allocate(2 * KIB, 0));
    }

    @Test
    void aBlockServesOnlyItsStream() {
        final long first = allocator.allocate(MIB, 0);
        allocator.free(first);

        allocator.allocate(MIB, 1);

        assertEquals(2, stat("segment.all.current"));
    }

    @Test
    void aBlockThatAnotherStreamUsesIsActiveUntilThatIsDone() {
        final long shared = allocator.allocate(MIB, 0);
        allocator.recordStream(shared, 1);
        allocator.free(shared);
        assertEquals(0, stat("allocated_bytes.all.current"));
        assertEquals(MIB, stat("active_bytes.all.current"));
        assertEquals(BlockState.ACTIVE_PENDING_FREE, allocator.segments().get(0).blocks().get(0).state());

        streams.advance(1);
        assertEquals(MIB, stat("active_bytes.all.current"), "statistics do not poll");

        assertEquals(shared, allocator.allocate(MIB, 0));
    }

    @Test
    void anUnknownAddressIsRefusedAndNothingChanges() {
        final long address = allocator.allocate(1000, 0);
        allocator.free(address);

        for (final long wrong : new long[]{address, address + 512, 7}) {
            final IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class,
                    () -> allocator.free(wrong));
            assertTrue(refusal.getMessage().startsWith("invalid device pointer: "));
        }

        Invariants.check(allocator);
        assertEquals(1, stat("allocation.all.freed"));
        assertThrows(IllegalArgumentException.class, () -> allocator.allocate(-1, 0));
    }

    @Test
    void goldenTraceOne() {
        // docs/allocator.md, "A worked sequence"
        // {allocated, requested, reserved, inactive_split, inactive_split_bytes}
        final long a = allocator.allocate(1000, 0);
        columns(1024, 1000, 2 * MIB, 1, 2_096_128);
        final long b = allocator.allocate(1_048_576, 0);
        columns(1_049_600, 1_049_576, 2 * MIB, 1, 1_047_552);
        final long c = allocator.allocate(3_145_728, 0);
        columns(4_195_328, 4_195_304, 22 * MIB, 2, 18_873_344);
        final long d = allocator.allocate(12_582_913, 0);
        columns(16_778_752, 16_778_217, 22 * MIB, 2, 6_289_920);
        allocator.free(a);
        columns(16_777_728, 16_777_217, 22 * MIB, 3, 6_290_944);
        final long e = allocator.allocate(16_777_216, 0);
        columns(33_554_944, 33_554_433, 38 * MIB, 3, 6_290_944);
        allocator.free(c);
        columns(30_409_216, 30_408_705, 38 * MIB, 4, 9_436_672);
        allocator.free(d);
        columns(17_825_792, 17_825_792, 38 * MIB, 2, 1_048_576);
        final long f = allocator.allocate(9_437_184, 0);
        columns(27_262_976, 27_262_976, 38 * MIB, 3, 12_582_912);
        allocator.free(b);
        columns(26_214_400, 26_214_400, 38 * MIB, 1, 11_534_336);
        allocator.emptyCache();
        columns(26_214_400, 26_214_400, 36 * MIB, 1, 11_534_336);
        allocator.free(e);
        allocator.emptyCache();
        allocator.free(f);
        columns(0, 0, 20 * MIB, 0, 0);
        allocator.emptyCache();
        columns(0, 0, 0, 0, 0);
        assertEquals(33_554_944, stat("allocated_bytes.all.peak"));
        assertEquals(38 * MIB, stat("reserved_bytes.all.peak"));
        assertEquals(3, stat("num_sync_all_streams"));
        assertEquals(3, stat("num_device_free"));
    }

    private void columns(final long allocated, final long requested, final long reserved, final long splits,
            final long splitBytes) {
        assertEquals(List.of(allocated, requested, reserved, splits, splitBytes),
                List.of(stat("allocated_bytes.all.current"), stat("requested_bytes.all.current"),
                        stat("reserved_bytes.all.current"), stat("inactive_split.all.current"),
                        stat("inactive_split_bytes.all.current")));
    }

    @Test
    void goldenTraceTwoFlushesAndThenRunsOut() {
        allocator.setMemoryLimit(64 * MIB);
        for (int i = 0; i < 4; i++) {
            allocator.allocate(3 * MIB, 0);
        }
        allocator.free(allocator.allocate(30 * MIB, 0));
        allocator.allocate(40 * MIB, 0);
        assertEquals(60 * MIB, stat("reserved_bytes.all.current"));
        assertEquals(1, stat("num_alloc_retries"));
        assertEquals(0, stat("num_ooms"));

        final OutOfMemoryException oom = assertThrows(OutOfMemoryException.class,
                () -> allocator.allocate(12 * MIB, 0));

        for (final String part : List.of("Tried to allocate 12.00 MiB.", " 64.00 MiB allowed; ",
                " 52.00 MiB is allocated by PyTorch", " 8.00 MiB is reserved by PyTorch but unallocated")) {
            assertTrue(oom.getMessage().contains(part), part);
        }
        assertEquals(2, stat("num_alloc_retries"));
        assertEquals(1, stat("num_ooms"));
        assertEquals(64 * MIB, oom.limit());
        assertEquals(52 * MIB, oom.allocated());
        Invariants.check(allocator);
    }

    @Test
    void anOutOfMemoryMessageNamesThisProcessOnADeviceOfItsOwn() {
        allocator.allocate(100 * MIB, 0);

        final OutOfMemoryException oom = assertThrows(OutOfMemoryException.class,
                () -> allocator.allocate(1L << 30, 0));

        assertEquals("CUDA out of memory. Tried to allocate 1024.00 MiB. GPU 0 has a total capacity of 1024.00 MiB of"
                + " which 924.00 MiB is free. Including non-PyTorch memory, this process has 100.00 MiB memory in use."
                + " Of the allocated memory 100.00 MiB is allocated by PyTorch, and 0 bytes is reserved by PyTorch but"
                + " unallocated. If reserved but unallocated memory is large try setting"
                + " PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.  See documentation for"
                + " Memory Management  (https://docs.pytorch.org/docs/stable/notes/cuda.html"
                + "#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)", oom.getMessage());
    }

    @Test
    void beforeMemoryRunsOutThePressureCallbacksMayFreeSome() {
        allocator.setMemoryLimit(64 * MIB);
        final long unreachable = allocator.allocate(60 * MIB, 0);
        final List<Long> abandoned = new ArrayList<>(List.of(unreachable));
        allocator.onPressure(() -> {
            abandoned.forEach(allocator::free);
            final boolean freed = !abandoned.isEmpty();
            abandoned.clear();
            return freed;
        });

        assertTrue(allocator.allocate(50 * MIB, 0) != 0);
        assertEquals(1, allocator.rescuedAllocations());
        assertEquals(0, stat("num_ooms"));
        assertThrows(OutOfMemoryException.class, () -> allocator.allocate(50 * MIB, 0));
        assertEquals(1, allocator.rescuedAllocations());
    }

    @Test
    void aFailureIsToldOfTheRequestThatFailedWhateverAPressureCallbackAllocates() {
        final int asked = CallSites.intern(List.of(new Frame("In [1]", 1, "asked")));
        final int meanwhile = CallSites.intern(List.of(new Frame("In [1]", 2, "meanwhile")));
        final List<Long> heard = new ArrayList<>();
        allocator.setMemoryLimit(64 * MIB);
        allocator.allocate(60 * MIB, 0);
        allocator.recordHistory(HistoryOptions.all());
        allocator.addListener(new MemoryListener() {

            @Override
            public void outOfMemory(final OutOfMemoryException failure, final long stream) {
                heard.add(stream);
            }
        });
        // 1 MiB of stream 7 fits into a segment of 2 MiB, the last that the limit has room for
        allocator.onPressure(() -> allocator.allocate(MIB, 7, meanwhile) == 0);

        final OutOfMemoryException oom = assertThrows(OutOfMemoryException.class,
                () -> allocator.allocate(50 * MIB, 0, asked));

        final TraceEntry last = allocator.history().getLast();
        assertEquals(TraceAction.OOM, last.action());
        assertEquals(0, last.stream());
        assertEquals(asked, last.site());
        assertEquals(50 * MIB, last.size());
        assertEquals(50 * MIB, oom.requested());
        assertEquals(List.of(0L), heard);
    }

    @Test
    void figuresThatAreReadOneByOneAreReadUnderTheLock() throws InterruptedException {
        for (final Runnable reading : List.<Runnable>of(allocator::memoryFraction, allocator::settings,
                allocator::rescuedAllocations)) {
            final Thread reader = new Thread(reading);
            final Thread.State waits = allocator.locked(state -> {
                reader.start();
                while (reader.getState() != Thread.State.WAITING && reader.getState() != Thread.State.TERMINATED) {
                    Thread.onSpinWait();
                }
                return reader.getState();
            });
            reader.join();
            assertEquals(Thread.State.WAITING, waits);
        }
    }

    @Test
    void inStrictModeMemoryRunsOutAsInPyTorch() {
        allocator.setMemoryLimit(64 * MIB);
        allocator.allocate(60 * MIB, 0);
        allocator.onPressure(() -> {
            throw new AssertionError("called in strict mode");
        });
        allocator.setStrict(true);

        assertThrows(OutOfMemoryException.class, () -> allocator.allocate(50 * MIB, 0));
    }

    @Test
    void aListenerFollowsBlocksSegmentsAndFailures() {
        final List<String> heard = new ArrayList<>();
        allocator.addListener(new MemoryListener() {

            @Override
            public void allocated(final long address, final long bytes, final long requested, final long stream,
                    final int site) {
                heard.add("allocated " + bytes + " for " + requested);
            }

            @Override
            public void freed(final long address, final long bytes, final long requested, final long stream,
                    final int site) {
                heard.add("freed " + bytes);
            }

            @Override
            public void segmentAllocated(final long address, final long bytes, final long stream) {
                heard.add("segment " + bytes);
            }

            @Override
            public void segmentFreed(final long address, final long bytes, final long stream) {
                heard.add("segment gone " + bytes);
            }

            @Override
            public void outOfMemory(final OutOfMemoryException failure, final long stream) {
                heard.add("out of memory " + failure.segmentBytes());
            }
        });

        allocator.free(allocator.allocate(1000, 0));
        allocator.emptyCache();
        assertThrows(OutOfMemoryException.class, () -> allocator.allocate(2L << 30, 0));

        assertEquals(List.of("segment 2097152", "allocated 1024 for 1000", "freed 1024", "segment gone 2097152",
                "out of memory 2147483648"), heard);
    }

    @Test
    void theHistoryIsARingOfTheNewestEntries() {
        allocator.recordHistory(new HistoryOptions("all", null, "all", 3, false, java.util.Set.of()));
        final long address = allocator.allocate(1000, 0);
        allocator.free(address);

        // segment_alloc, alloc, free_requested, free_completed: the first is overwritten
        assertEquals(List.of(TraceAction.ALLOC, TraceAction.FREE_REQUESTED, TraceAction.FREE_COMPLETED),
                allocator.history().stream().map(TraceEntry::action).toList());
        allocator.recordHistory(HistoryOptions.OFF);
        assertEquals(List.of(), allocator.history());
    }

    @Test
    void skippedActionsAndMetadataAreKeptToInTheHistory() {
        allocator.recordHistory(new HistoryOptions("all", null, "all", 100, false,
                java.util.Set.of(TraceAction.SEGMENT_ALLOC, TraceAction.FREE_REQUESTED)));
        allocator.setMemoryMetadata("epoch 1");
        allocator.free(allocator.allocate(1000, 0));

        assertEquals(List.of("alloc epoch 1", "free_completed epoch 1"),
                allocator.history().stream().map(e -> e.action().text() + " " + e.metadata()).toList());
    }

    @Test
    void resettingPeaksAndAccumulatedFiguresLeavesTheCurrentOnes() {
        allocator.allocate(MIB, 0);
        allocator.free(allocator.allocate(MIB, 0));

        allocator.resetPeakMemoryStats();
        allocator.resetAccumulatedMemoryStats();

        assertEquals(MIB, stat("allocated_bytes.all.peak"));
        assertEquals(MIB, stat("allocated_bytes.all.current"));
        assertEquals(0, stat("allocated_bytes.all.allocated"));
        assertEquals(0, stat("num_device_alloc"));
    }

    @Test
    void aMemoryFractionOutsideZeroToOneIsRefused() {
        for (final double fraction : new double[]{-0.1, 1.5, Double.NaN}) {
            assertEquals("Invalid fraction value: " + fraction + ". Allowed range: 0~1",
                    assertThrows(IllegalArgumentException.class, () -> allocator.setMemoryFraction(fraction))
                            .getMessage());
        }
        assertEquals(1, allocator.memoryFraction());
    }
}
