package io.vramlab.memory.internal.whatif;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.HistoryOptions;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.PlannedMemory;
import io.vramlab.memory.StreamEvents;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WhatIfTest {

    private static final long MIB = 1L << 20;

    private static Path folder() throws URISyntaxException {
        return Path.of(WhatIfTest.class.getResource("/oracle/whatif").toURI());
    }

    static List<Path> runs() throws IOException, URISyntaxException {
        try (Stream<Path> files = Files.list(folder())) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("runs")
    void aHistoryWithoutLimitForetellsTheRunUnderOtherSettings(final Path run) throws IOException, URISyntaxException {
        final JsonObject real = JsonParser.parseString(Files.readString(run)).getAsJsonObject();
        final String workload = real.get("workload").getAsString();
        final String conf = real.get("conf").getAsString();
        final long limit = real.get("fraction").isJsonNull()
                ? 0
                : (long) (real.get("fraction").getAsDouble() * real.get("device_total").getAsLong());
        final MemorySnapshot snapshot = MemorySnapshot
                .read(folder().resolve(workload + "_default_nolimit.pickle.gz"));

        final WhatIfResult result = new WhatIf(snapshot, limit, 0).run(List.of(conf), ReplayProgress.NONE).results()
                .get(0);

        assertEquals(!real.get("oom").isJsonNull(), result.oom() != null, "out of memory");
        final long reserved = real.get("reserved_peak").getAsLong();
        if (workload.equals("leak") || conf.contains("expandable")) {
            assertEquals(reserved, result.reservedPeak());
        }
        assertEquals(1.0, (double) result.reservedPeak() / reserved, 0.03, "peak reserved");
    }

    private static CachingAllocator recorded() {
        final CachingAllocator allocator = new CachingAllocator(0, new PlannedMemory(1L << 30),
                StreamEvents.IMMEDIATE);
        allocator.recordHistory(HistoryOptions.withoutStacks());
        return allocator;
    }

    private static WhatIfReport replay(final CachingAllocator allocator, final long limit) {
        return new WhatIf(MemorySnapshot.of(allocator), limit, 0).run(List.of(""), ReplayProgress.NONE);
    }

    @Test
    void aBlockFromBeforeTheRecordingIsThereFromTheStartAndSaid() {
        final CachingAllocator allocator = new CachingAllocator(0, new PlannedMemory(1L << 30),
                StreamEvents.IMMEDIATE);
        final long early = allocator.allocate(40 * MIB, 0);
        allocator.allocate(30 * MIB, 0);
        allocator.recordHistory(HistoryOptions.withoutStacks());
        allocator.free(early);
        allocator.allocate(20 * MIB, 0);

        final WhatIfReport report = replay(allocator, 0);

        // 40 + 30 MiB at the start; the 20 MiB are cut from the freed 40
        assertEquals(70 * MIB, report.results().get(0).reservedPeak());
        assertTrue(report.notes().get(0).contains("2 blocks, 70.00 MiB"), report.notes().toString());
    }

    @Test
    void runningOutOfMemorySaysWhereAndWithWhat() {
        final CachingAllocator allocator = recorded();
        allocator.allocate(40 * MIB, 0);
        allocator.allocate(30 * MIB, 0);

        final WhatIfResult.OutOfMemory oom = replay(allocator, 64 * MIB).results().get(0).oom();

        assertNotNull(oom);
        // entries: segment_alloc, alloc, segment_alloc, alloc
        assertEquals(new WhatIfResult.OutOfMemory(3, 30 * MIB, 40 * MIB, 40 * MIB), oom);
    }

    @Test
    void aFreeThatWaitedForAStreamIsReusedOnlyAfterItCompleted() {
        final boolean[] done = {false};
        final CachingAllocator allocator = new CachingAllocator(0, new PlannedMemory(1L << 30), new OneFlag(done));
        allocator.recordHistory(HistoryOptions.withoutStacks());
        final long shared = allocator.allocate(40 * MIB, 0);
        allocator.recordStream(shared, 7);
        allocator.free(shared);
        allocator.allocate(40 * MIB, 0);
        done[0] = true;
        allocator.allocate(40 * MIB, 0);

        final WhatIfReport report = replay(allocator, 0);

        // the second 40 MiB could not reuse the first, the third could
        assertEquals(80 * MIB, report.results().get(0).reservedPeak());
        assertTrue(report.notes().get(0).contains("waited for another stream: 1;"), report.notes().toString());
    }

    @Test
    void anEmptiedCacheIsEmptiedAgain() {
        final CachingAllocator allocator = recorded();
        allocator.free(allocator.allocate(40 * MIB, 0));
        allocator.emptyCache();
        final long kept = allocator.allocate(500, 0);
        allocator.allocate(50 * MIB, 0);
        allocator.free(kept);

        // 2 MiB for the small block and 50 MiB; the 40 MiB are gone by then
        assertEquals(52 * MIB, replay(allocator, 0).results().get(0).reservedPeak());
    }

    @Test
    void everyDeviceWithAHistoryIsReplayedByItself() {
        final CachingAllocator first = recorded();
        final CachingAllocator second = recorded();
        first.allocate(40 * MIB, 0);
        second.allocate(50 * MIB, 0);
        final MemorySnapshot both = MemorySnapshot.of(Map.of(0, first, 1, second));

        final List<WhatIfResult> results = new WhatIf(both, 0, 0).run(List.of(""), ReplayProgress.NONE).results();

        assertEquals(List.of(40 * MIB, 50 * MIB), results.stream().map(WhatIfResult::reservedPeak).toList());
        assertEquals(List.of(0, 1), results.stream().map(WhatIfResult::device).toList());
    }

    @Test
    void theBestSettingIsOneThatRunsToTheEnd() throws IOException, URISyntaxException {
        final MemorySnapshot snapshot = MemorySnapshot.read(folder().resolve("convnet_default_nolimit.pickle.gz"));

        final WhatIfReport report = new WhatIf(snapshot, 1090 * MIB, 0)
                .run(List.of("max_split_size_mb:64", "expandable_segments:True"), ReplayProgress.NONE);

        assertEquals("expandable_segments:True", report.best().orElseThrow());
        assertNull(report.results().get(1).oom());
        assertNotNull(report.results().get(0).oom());
        assertTrue(WhatIfTable.text(report).endsWith("Best: expandable_segments:True\n"));
    }

    @Test
    void settingsThatComeToTheSameAreOneRowAndNamedBelow() {
        final CachingAllocator allocator = recorded();
        allocator.free(allocator.allocate(40 * MIB, 0));
        allocator.allocate(30 * MIB, 0);

        final WhatIfReport report = new WhatIf(MemorySnapshot.of(allocator), 0, 0).run(
                List.of("", "max_split_size_mb:64", "max_split_size_mb:32"), ReplayProgress.NONE);

        // the 30 MiB are cut from the freed 40, but where blocks above 32 MiB are not split: then they take a segment of their own
        assertEquals(List.of("default and 1 alike", "max_split_size_mb:32"),
                report.alike().stream().map(AlikeSettings::label).toList());
        assertEquals(List.of("Alike: default; max_split_size_mb:64."), report.remarks());
        assertEquals(2, WhatIfTable.rows(report).size());
        assertEquals(3, JsonParser.parseString(WhatIfTable.json(report)).getAsJsonArray().size());
    }

    @Test
    void asJsonThereIsOneObjectPerSetting() {
        final CachingAllocator allocator = recorded();
        allocator.allocate(40 * MIB, 0);

        final JsonArray array = JsonParser.parseString(WhatIfTable.json(replay(allocator, 0))).getAsJsonArray();

        assertEquals(1, array.size());
        final JsonObject o = array.get(0).getAsJsonObject();
        for (final String key : List.of("conf", "limit", "reserved_peak", "allocated_peak", "fragmentation_at_peak",
                "segments_peak", "retries", "events", "oom")) {
            assertTrue(o.has(key), key);
        }
        assertTrue(o.get("oom").isJsonNull());
        assertEquals(40 * MIB, o.get("reserved_peak").getAsLong());
    }

    @Test
    void aSnapshotWithoutHistoryIsRefused() {
        final CachingAllocator allocator = new CachingAllocator(0, new PlannedMemory(1L << 30),
                StreamEvents.IMMEDIATE);
        final MemorySnapshot empty = MemorySnapshot.of(allocator);

        final IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class,
                () -> new WhatIf(empty, 0, 0).run(List.of(), ReplayProgress.NONE));

        assertTrue(refusal.getMessage().startsWith("The snapshot has no allocation history"));
        assertFalse(refusal.getMessage().contains("\n"));
    }

    @Test
    void aWrongSettingIsRefusedBeforeAnythingRuns() {
        final CachingAllocator allocator = recorded();
        allocator.allocate(40 * MIB, 0);
        final MemorySnapshot snapshot = MemorySnapshot.of(allocator);

        final IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class,
                () -> new WhatIf(snapshot, 0, 0).run(List.of("nonsense:1"), ReplayProgress.NONE));

        assertTrue(refusal.getMessage().contains("Unrecognized key 'nonsense'"));
    }

    /** All streams' work is done when the flag says so. */
    private record OneFlag(boolean[] done) implements StreamEvents {

        @Override
        public long record(final long stream) {
            return 1;
        }

        @Override
        public boolean isComplete(final long event) {
            return done[0];
        }

        @Override
        public void await(final long event) {
            done[0] = true;
        }

        @Override
        public void done(final long event) {
            // nothing is held
        }

        @Override
        public void synchronize(final long stream) {
            done[0] = true;
        }
    }
}
