package io.vramlab.install.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.install.advice.Advice;
import io.vramlab.install.diagnosis.CauseKind;
import io.vramlab.install.diagnosis.Diagnosis;
import io.vramlab.install.diagnosis.Finding;
import io.vramlab.install.story.History;
import io.vramlab.install.story.Story;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.HistoryOptions;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.memory.internal.whatif.ReplayProgress;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;

/** Threads that anybody can read, with their figures; docs/public-cases.md tells them. */
class PublicCasesTest {

    private static final long MIB = 1L << 20;

    private static CachingAllocator allocator(String settings) {
        CachingAllocator allocator = (CachingAllocator) Allocators.of(Device.simulated("16GiB"));
        allocator.configure(AllocatorSettings.DEFAULT.with(settings));
        allocator.recordHistory(HistoryOptions.withoutStacks());
        return allocator;
    }

    /**
     * pytorch#123548, by the reproducer of PR 193400: 64 MiB stay; each cycle asks for 91 and 45.5 MiB, then for 2 MiB that stay,
     * and frees the first two.
     */
    private static List<Long> cycles(CachingAllocator allocator, int count) {
        allocator.allocate(64 * MIB, 0);
        List<Long> reserved = new ArrayList<>();
        for (int cycle = 0; cycle < count; cycle++) {
            long a = allocator.allocate(91 * MIB, 0);
            long b = allocator.allocate(45 * MIB + MIB / 2, 0);
            allocator.allocate(2 * MIB, 0);
            allocator.free(a);
            allocator.free(b);
            if (cycle % 20 == 0) {
                assertEquals((66 + 2L * cycle) * MIB, allocator.allocatedBytes());
                reserved.add(allocator.reservedBytes() / MIB);
            }
        }
        return reserved;
    }

    @Test
    void twoSettingsThatClashReserveWithoutEnd() {
        assertEquals(List.of(220L, 2980L, 5760L, 8520L, 11_300L, 14_060L),
                cycles(allocator("max_split_size_mb:128,expandable_segments:True"), 101));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "max_split_size_mb:128", "expandable_segments:True"})
    void eitherSettingAloneStaysBelow500MiB(String settings) {
        assertTrue(cycles(allocator(settings), 101).stream().allMatch(reserved -> reserved < 500));
    }

    @Test
    void theReportOfTheClashAdvisesToDropOneOfTheTwo() {
        CachingAllocator allocator = allocator("max_split_size_mb:128,expandable_segments:True");
        cycles(allocator, 101);
        ReportVerdict verdict = ReportVerdict.of(MemorySnapshot.of(allocator), ReplayProgress.NONE).getFirst();
        assertTrue(verdict.diagnosis().verdict().kind() == CauseKind.FRAGMENTATION_PINNED
                || verdict.diagnosis().verdict().kind() == CauseKind.FRAGMENTATION_SIZES,
                verdict.diagnosis().verdict()::toString);
        Advice best = verdict.advice().getFirst();
        assertTrue(best.what().startsWith("PYTORCH_CUDA_ALLOC_CONF="), best::toString);
        assertFalse(best.what().contains("max_split_size_mb:128,expandable_segments:True"), best::toString);
        assertTrue(best.reserved() < 500 * MIB, best::toString);
    }

    /**
     * pytorch#35901: the segment of a tensor of 11,643,387,904 bytes, freed, was cut up by 499,214,336 bytes that stayed, and the
     * tensor did not fit any more when the next iteration asked for it.
     */
    @Test
    void halfOfTheDeviceIsHeldByWhatStayedInOneSegment() {
        long tensor = 11_643_387_904L;
        CachingAllocator allocator = allocator("");
        allocator.free(allocator.allocate(tensor, 0));
        long[] sizes = {16_515_072, 16_515_072, 11_400_192, 18_191_360};
        long kept = 0;
        for (int i = 0; kept < 499_214_336; i++) {
            kept += sizes[i % sizes.length];
            allocator.allocate(sizes[i % sizes.length], 0);
        }
        boolean failed = false;
        try {
            allocator.allocate(tensor, 0);
        } catch (OutOfMemoryException expected) {
            failed = true;
        }
        assertTrue(failed);
        ReportVerdict verdict = ReportVerdict.of(MemorySnapshot.of(allocator), ReplayProgress.NONE).getFirst();
        Finding found = verdict.diagnosis().verdict();
        assertEquals(CauseKind.FRAGMENTATION_PINNED, found.kind(), found::toString);
        assertTrue(found.because().stream().anyMatch(reason -> reason.contains("11,643,387,904 bytes")),
                found::toString);
        assertTrue(verdict.advice().stream().anyMatch(advice -> advice.what().contains("expandable_segments:True")
                && advice.enough()), verdict.advice()::toString);
    }

    /** pytorch#95668: 8,519,680 bytes stay allocated after a Linear(1, 1) and its input are gone: cuBLAS's workspace. */
    @Test
    void theBytesThatALinearLeavesAreAWorkspace() {
        // weight, bias, input; the workspace that the first product asks for; the result; all go but the workspace
        Story story = new History().event("segment_alloc", 0, 2 * MIB).event("segment_alloc", 1L << 30, 20 * MIB)
                .alloc(0, 4).alloc(512, 4).alloc(1024, 4).alloc(1L << 30, 8_519_680).alloc(1536, 4).free(1536, 4)
                .free(1024, 4).free(512, 4).free(0, 4).story();
        Finding found = Diagnosis.of(story).verdict();
        assertEquals(CauseKind.WORKSPACE, found.kind(), found::toString);
        assertTrue(found.because().getFirst().contains("8,519,680 bytes"), found::toString);
    }

    /**
     * Megatron-LM#965: what each line of an attention written out takes, with 32 heads of 96 (a hidden size of 3,072), 4,096 tokens, one
     * sequence, in half precision: the first layer makes the buffer that later ones use again. In MiB: scores of 32 * 4096 * 4096 * 2
     * bytes and their buffer, 2048; the probabilities, 1024; these after dropout with its mask of a byte each, 1024 + 512; the result of
     * 4096 * 3072 * 2 bytes, 24.
     */
    @Test
    void theLinesOfAnAttentionTakeWhatWasMeasured() {
        try (Device device = Device.shapesOnly("80GiB")) {
            TensorOptions half = TensorOptions.on(device).dtype(DType.FLOAT16);
            try (Tensor little = Tensor.empty(half, 1, 8, 8); Tensor warm = little.bmm(little)) {
                assertEquals(3, warm.dim()); // cuBLAS has its workspace, as in the thread
            }
            CachingAllocator allocator = (CachingAllocator) Allocators.of(device);
            try (Tensor q = Tensor.empty(half.requiresGrad(true), 32, 4096, 96);
                    Tensor k = Tensor.empty(half.requiresGrad(true), 32, 96, 4096);
                    Tensor v = Tensor.empty(half.requiresGrad(true), 32, 4096, 96)) {
                long start = allocator.allocatedBytes();
                try (Tensor buffer = Tensor.empty(half, 32, 4096, 4096)) {
                    assertEquals(List.of(2048L, 1024L, 1536L, 24L), attention(allocator, start, buffer, q, k, v));
                    assertEquals(List.of(1024L, 1024L, 1536L, 24L),
                            attention(allocator, allocator.allocatedBytes(), buffer, q, k, v));
                }
            }
        }
    }

    /** MiB that each line adds. */
    private static List<Long> attention(CachingAllocator allocator, long start, Tensor buffer, Tensor q, Tensor k,
            Tensor v) {
        List<Long> at = new ArrayList<>(List.of(start));
        try (Tensor scores = buffer.baddbmm(q, k, 0, 0.1)) {
            at.add(allocator.allocatedBytes());
            try (Tensor probabilities = scores.softmax(-1)) {
                at.add(allocator.allocatedBytes());
                try (Tensor dropped = Functional.dropout(probabilities, 0.1, true)) {
                    at.add(allocator.allocatedBytes());
                    try (Tensor context = dropped.bmm(v)) {
                        assertEquals(96, context.shape()[2]);
                        at.add(allocator.allocatedBytes());
                    }
                }
            }
        }
        return IntStream.range(1, at.size()).mapToObj(i -> (at.get(i) - at.get(i - 1)) / MIB).toList();
    }
}
