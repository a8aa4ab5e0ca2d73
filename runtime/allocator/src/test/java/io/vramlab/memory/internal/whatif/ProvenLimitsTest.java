package io.vramlab.memory.internal.whatif;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.memory.MemorySnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProvenLimitsTest {

    @TempDir
    private Path folder;

    private MemorySnapshot snapshot(final String segments, final String... traces) throws IOException {
        return MemorySnapshot.read(Files.writeString(folder.resolve("s.json"), "{\"segments\": [" + segments
                + "], \"device_traces\": [[" + String.join("], [", traces) + "]]}"));
    }

    private static String event(final String action, final long address, final long size) {
        return "{\"action\": \"" + action + "\", \"" + (action.equals("oom") ? "device_free" : "addr") + "\": "
                + address + ", \"size\": " + size + ", \"stream\": 0}";
    }

    /** 20 MiB held, and 10 MiB free where 30 MiB were asked for: the driver refused, with 30 MiB in all. */
    @Test
    void whatTheDriverHadLeftCountsWhereItWasTooLittle() throws IOException {
        final MemorySnapshot failed = snapshot("", event("segment_alloc", 2 << 20, 20 << 20) + ","
                + event("alloc", 2 << 20, 20 << 20) + "," + event("oom", 10 << 20, 30 << 20));
        assertEquals(Map.of(0, 30L << 20), ProvenLimits.of(failed).byDevice());
    }

    /** 20 MiB held, and 80 GB free where 30 MiB were asked for: a limit refused, and 20 MiB are all that is proven. */
    @Test
    void whatTheDriverHadLeftDoesNotCountWhereALimitRefused() throws IOException {
        final MemorySnapshot failed = snapshot("", event("segment_alloc", 2 << 20, 20 << 20) + ","
                + event("alloc", 2 << 20, 20 << 20) + "," + event("oom", 80_000_000_000L, 30 << 20));
        assertEquals(Map.of(0, 20L << 20), ProvenLimits.of(failed).byDevice());
    }

    /** A segment of 64 MiB that only the end shows, and one of 20 MiB that is given back without having been taken: 84 MiB. */
    @Test
    void whatWasReservedBeforeTheHistoryBeganCounts() throws IOException {
        final MemorySnapshot failed = snapshot(
                "{\"device\": 0, \"address\": 1073741824, \"total_size\": 67108864, \"stream\": 0, \"segment_type\": \"large\","
                        + " \"blocks\": []}",
                event("segment_free", 2 << 20, 20 << 20) + "," + event("oom", 80_000_000_000L, 30 << 20));
        assertEquals(Map.of(0, 84L << 20), ProvenLimits.of(failed).byDevice());
    }

    @Test
    void aDeviceWithoutAFailureIsReplayedWithoutALimitBesideOneThatFailed() throws IOException {
        final MemorySnapshot two = snapshot("",
                event("segment_alloc", 2 << 20, 20 << 20) + "," + event("alloc", 2 << 20, 20 << 20) + ","
                        + event("oom", 80_000_000_000L, 30 << 20),
                event("segment_alloc", 2 << 20, 40 << 20) + "," + event("alloc", 2 << 20, 40 << 20));
        final ProvenLimits proven = ProvenLimits.of(two);
        assertEquals(Map.of(0, 20L << 20, 1, 0L), proven.byDevice());
        final WhatIfReport report = proven.run(two, List.of(""), ReplayProgress.NONE);
        assertEquals(2, report.results().size());
        assertTrue(report.results().stream().allMatch(each -> each.oom() != null == (each.device() == 0)),
                report::toString);
        assertEquals(1, proven.sentences("--limit").size());
    }

    /**
     * Two segments of 20 MiB hold one block of 10 MiB each; 20 MiB more are refused at 40 reserved, though 20 are free in them. A replay that
     * allocates the two blocks puts both into one segment, and serves the request.
     */
    @Test
    void whereTheReplayServesWhatTheRecordingCouldNotThatIsSaid() throws IOException {
        final String pair = event("segment_alloc", 2 << 20, 20 << 20) + "," + event("alloc", 2 << 20, 10 << 20) + ","
                + event("segment_alloc", 32 << 20, 20 << 20) + "," + event("alloc", 32 << 20, 10 << 20);
        final MemorySnapshot scattered = snapshot("",
                pair + "," + event("oom", 80_000_000_000L, 20 << 20));
        final WhatIfReport served = ProvenLimits.of(scattered).run(scattered, List.of(""), ReplayProgress.NONE);
        assertNull(served.results().getFirst().oom());
        assertTrue(served.notes().stream().anyMatch(note -> note.startsWith("Device 0: replayed with the settings that"
                + " it was recorded with (default), memory does not run out, as it did in the recording")),
                served.notes()::toString);
        // 30 MiB do not fit beside 20 in 40: it runs out in the replay too, and there is nothing to say
        final MemorySnapshot full = snapshot("", pair + "," + event("oom", 80_000_000_000L, 30 << 20));
        final WhatIfReport refused = ProvenLimits.of(full).run(full, List.of(""), ReplayProgress.NONE);
        assertTrue(refused.results().getFirst().oom() != null && refused.notes().stream()
                .noneMatch(note -> note.contains("as it did in the recording")), refused::toString);
    }
}
