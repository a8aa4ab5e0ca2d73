package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllocatorSettingsTest {

    private static final long MIB = 1L << 20;

    private static AllocatorSettings parse(final String text) {
        return AllocatorSettings.DEFAULT.with(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, quoteCharacter = '"', value = {
            "max_split_size_mb:19|CachingAllocator option max_split_size_mb too small, must be >= 20",
            "max_non_split_rounding_mb:2|CachingAllocator option max_non_split_rounding_mb too small, must be >= 20",
            "max_split_size_mb:30,large_segment_size_mb:40|CachingAllocator option max_split_size_mb too small, must be >= 40",
            "large_segment_size_mb:10|CachingAllocator option large_segment_size_mb must be > 10 MB",
            "garbage_collection_threshold:1.0|garbage_collect_threshold is invalid, set it in (0.0, 1.0)",
            "garbage_collection_threshold:0|garbage_collect_threshold is invalid, set it in (0.0, 1.0)",
            "garbage_collection_threshold:x|stod",
            "max_split_size_mb:abc|stoull",
            "roundup_power2_divisions:[3:4]|For roundups, the intervals have to be power of 2 ",
            "roundup_power2_divisions:[4:3]|For roundups, the divisions has to be power of 2 or 0 to disable roundup ",
            "roundup_power2_divisions:0|For roundups, the divisions has to be power of 2 ",
            "expandable_segments:true|Expected 'True' or 'False' at index 2 in ConfigTokenizer but got 'true'",
            "pinned_num_register_threads:3|Number of register threads has to be power of 2, got 3",
            "pinned_num_register_threads:256|Number of register threads should be less than or equal to 128, got 256",
            "pinned_reserve_segment_size_mb:0|Pinned reserve segment size has to be greater than 0",
            "per_process_memory_fraction:1.5|per_process_memory_fraction is invalid, set it in [0.0, 1.0]",
            "nonsense:1|Unrecognized key 'nonsense' in Accelerator allocator config."})
    void wrongSettingsAreRefusedInPyTorchsWords(final String text, final String message) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, () -> parse(text)).getMessage());
    }

    @Test
    void theEnvironmentWordsUnknownKeysOtherwise() {
        assertEquals("Unrecognized key 'nonsense' in CUDA allocator config.", assertThrows(
                IllegalArgumentException.class, () -> AllocatorSettings.fromEnvironment("nonsense:1")).getMessage());
    }

    @Test
    void whatIsMissingFailsAsAnInternalAssertion() {
        for (final String text : new String[]{"max_split_size_mb", "max_split_size_mb:", "expandable_segments:",
                "roundup_power2_divisions:[4:2"}) {
            assertThrows(IllegalStateException.class, () -> parse(text), text);
        }
        assertTrue(assertThrows(IllegalStateException.class, () -> parse("backend:cudaMallocAsync")).getMessage()
                .endsWith("cudaMallocAsync != native"));
    }

    @Test
    void numbersAreReadAsByStoull() {
        assertEquals(20 * MIB, parse("max_split_size_mb:20.5").maxSplitSize());
        assertEquals(21 * MIB, parse("max_split_size_mb:21abc").maxSplitSize());
        // -1 wraps to 2^64 - 1, clamped to 2^44 - 1 MiB: -1048576 as a signed number
        assertEquals(-MIB, parse("max_split_size_mb:-1").maxSplitSize());
        assertEquals(AllocatorSettings.UNLIMITED, parse("").maxSplitSize());
    }

    @Test
    void whiteSpaceVanishesAndSeparatorsAreNotChecked() {
        final AllocatorSettings spaced = parse(" max_split _size_mb : 3 2 , expandable_segments:Tr ue");
        assertEquals(32 * MIB, spaced.maxSplitSize());
        assertTrue(spaced.expandableSegments());
        assertEquals(32 * MIB, parse("max_split_size_mb]32").maxSplitSize());
    }

    @Test
    void aSecondTextResetsSomeKeysAndKeepsOthers() {
        final AllocatorSettings first = parse("max_split_size_mb:40,garbage_collection_threshold:0.5,"
                + "roundup_power2_divisions:4,expandable_segments:True,large_segment_size_mb:32");
        final AllocatorSettings second = first.with("pinned_num_register_threads:4");

        assertFalse(second.limitsSplitting());
        assertEquals(0, second.garbageCollectionThreshold());
        assertArrayEquals(new int[16], second.roundupPower2Divisions());
        assertTrue(second.expandableSegments());
        assertEquals(32 * MIB, second.largeSegment());
        assertEquals(32 * MIB, second.maxNonSplitRounding());
    }

    @Test
    void divisionsFillTheSlotsOfTheirPowersOfTwo() {
        assertArrayEquals(new int[]{1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 8, 8, 8, 8},
                parse("roundup_power2_divisions:[256:1,512:2,1024:4,>:8]").roundupPower2Divisions());
    }

    @ParameterizedTest
    @CsvSource({"1, 512", "512, 512", "513, 1024",
            // 1200 is not larger than 512 * 4: rounded to 512 as ever
            "1200, 1536",
            // steps of 8 MiB / 4 and of 32 MiB / 4
            "9437184, 10485760", "34603008, 41943040", "33554432, 33554432"})
    void sizesAreRoundedToFourthsOfAPowerOfTwo(final long bytes, final long rounded) {
        assertEquals(rounded, parse("roundup_power2_divisions:4").roundedSize(bytes));
    }

    @Test
    void theProjectsOwnVariableWinsOverPyTorchs() {
        assertTrue(Allocators.fromEnvironment(Map.of("VRAMLAB_ALLOC_CONF", "expandable_segments:True",
                "PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:32")).expandableSegments());
        assertEquals(32 * MIB, Allocators.fromEnvironment(Map.of("PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:32",
                "PYTORCH_ALLOC_CONF", "max_split_size_mb:64")).maxSplitSize());
        assertEquals("", Allocators.fromEnvironment(Map.of()).text());
        assertThrows(IllegalArgumentException.class,
                () -> Allocators.fromEnvironment(Map.of("PYTORCH_CUDA_ALLOC_CONF", "backend:cudaMallocAsync")));
    }
}
