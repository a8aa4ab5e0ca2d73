package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.UsageException;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.Sanitizer;
import io.vramlab.magics.table.TableRenderer;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.Cuda;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatisticsMagicsTest {

    private static final long MIB = 1 << 20;

    private final FakeSession session = new FakeSession();
    private Device before;
    private Allocator allocator;
    private long address;

    @BeforeEach
    void aFreshGpuWithFourMiBInUse() {
        before = Device.current();
        Device.select("sim:1GiB");
        allocator = Allocators.of(Device.current());
        address = allocator.allocate(4 * MIB, 0);
        allocator.free(allocator.allocate(30 * MIB, 0));
    }

    @AfterEach
    void theGpuBefore() {
        Device.current().close();
        Device.select("sim:8GiB");
    }

    private ReportTable run(String name, String arguments) throws Exception {
        return (ReportTable) Magics.run(name, arguments, session);
    }

    /** A snapshot of PyTorch's with one block, made by its Linear, which the user's line 12 made. */
    private static Path snapshot(Path folder, String name, long bytes) throws IOException {
        return Files.writeString(folder.resolve(name),
                """
                        {"segments": [{"device": 0, "address": 2097152, "total_size": 20971520, "stream": 0, "segment_type": "large",
                          "allocated_size": %1$d, "active_size": %1$d, "blocks": [{"address": 2097152, "size": %1$d, "requested_size": %1$d,
                          "state": "active_allocated", "frames": [
                            {"filename": "/opt/lib/python3.12/site-packages/torch/nn/modules/linear.py", "line": 109, "name": "__init__"},
                            {"filename": "train.py", "line": 12, "name": "build"}]}]}], "device_traces": []}
                        """
                        .formatted(bytes));
    }

    @Test
    void twoSnapshotsAreComparedByTheUsersOwnLines(@TempDir Path folder) throws Exception {
        ReportTable told = run("memory_diff",
                snapshot(folder, "a.json", 2 * MIB) + " " + snapshot(folder, "b.json", 5 * MIB));
        assertEquals(List.of("train.py:12 build"), told.stringColumn("line").asList());
    }

    @Test
    void theSummaryIsATableAndInPlainTextPyTorchs() throws Exception {
        ReportTable report = run("memory_summary", "");
        // 4 MiB are served by a segment of 20 MiB, 30 MiB by one of their own
        assertEquals(4 * MIB, report.longColumn("current").getLong(0));
        assertEquals(34 * MIB, report.longColumn("peak").getLong(0));
        assertEquals(9 * 3 + 2, report.rowCount());
        assertEquals(Cuda.memorySummary(Device.current(), false), new TableRenderer().render(report).get("text/plain"));
        assertEquals(List.of(), Sanitizer.removed(new TableRenderer().render(report).get("text/html")));
    }

    @Test
    void theAbbreviatedSummaryLeavesThePoolsOut() throws Exception {
        ReportTable report = run("memory_summary", "--abbreviated --device 0");
        assertEquals(11, report.rowCount());
        assertEquals(Cuda.memorySummary(Device.current(), true), report.text().orElseThrow());
    }

    @Test
    void allStatisticsAreListedOrThoseThatAreAskedFor() throws Exception {
        assertEquals(122, run("memory_stats", "").rowCount());
        ReportTable some = run("memory_stats", "reserved_bytes.all");
        assertEquals(4, some.rowCount());
        assertEquals("reserved_bytes.all.current", some.stringColumn("statistic").get(1));
        assertEquals(50 * MIB, some.longColumn("value").getLong(1));
    }

    @Test
    void peaksAreResetAndShown() throws Exception {
        ReportTable report = run("reset_peak_memory_stats", "");
        assertEquals(34 * MIB, report.longColumn("before bytes").getLong(0));
        assertEquals(4 * MIB, report.longColumn("now bytes").getLong(0));
        assertEquals(4 * MIB, allocator.stats().peakAllocatedBytes());
    }

    @Test
    void emptyingTheCacheTellsWhatItGaveBack() throws Exception {
        ReportTable report = run("empty_cache", "");
        assertEquals("Cache of cuda:0 emptied: 30.00 MiB given back to the device", report.name());
        assertEquals(-30 * MIB, report.longColumn("change").getLong(1));
        allocator.free(address);
        assertEquals("Cache of cuda:0 emptied: 20.00 MiB given back to the device", run("empty_cache", "").name());
    }

    @Test
    void aGpuThatIsNotThereIsToldInThreeParts() {
        assertEquals("GPU 7 was asked for. There is 1 GPU: [cuda:0]. See %device.",
                assertThrows(UsageException.class, () -> run("memory_summary", "--device 7")).getMessage());
        assertTrue(assertThrows(UsageException.class, () -> run("memory_stats", "nonsense")).getMessage()
                .startsWith("%memory_stats: no statistic's name contains \"nonsense\"."));
    }

    @Test
    void everyMagicHasHelpAndASummary() throws Exception {
        for (String name : Magics.names()) {
            assertNull(Magics.run(name, "--help", session), name);
            assertTrue(session.printed().contains("%" + name), name);
        }
    }

    @Test
    void aLimitMayBeASizeAndIsThatSizeToTheByte() throws Exception {
        // a share of 1 GiB that is no short binary fraction: cut off it must not lose a byte
        run("memory_fraction", "300MB");
        long total = Device.current().properties().totalBytes();
        assertEquals(300_000_000L, (long) (allocator.memoryFraction() * total));
        String refused = assertThrows(UsageException.class, () -> run("memory_fraction", "2GiB")).getMessage();
        assertTrue(refused.contains("2,048.00 MiB (2,147,483,648 bytes)") && refused.contains("has 1,024.00 MiB"),
                refused);
        assertThrows(UsageException.class, () -> run("memory_fraction", "much"));
        run("memory_fraction", "1");
    }
}
