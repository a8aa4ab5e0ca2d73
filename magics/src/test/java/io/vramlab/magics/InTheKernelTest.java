package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.LiveNotebook;
import io.vramlab.magics.table.Sanitizer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The magics in a real kernel, cell by cell. */
class InTheKernelTest extends InOneKernel {

    @BeforeEach
    void aFreshGpu() {
        notebook.ok("%track off");
        notebook.ok("LiveTensors.recordSites(true);");
        notebook.ok("%device 1GiB");
    }

    @Test
    void declaringAVariableThreeTimesLeavesOneTensor() {
        for (int i = 0; i < 3; i++) {
            notebook.ok("var a = Tensor.randn(1024, 1024);");
        }
        notebook.ok("%gc");
        String track = notebook.ok("%track").last();
        assertTrue(track.contains("\na         Other  float32[1024, 1024]  4,194,304  4.00 MiB  In ["), track);
        assertTrue(
                track.contains("1 tensor, 4.00 MiB (4,194,304 bytes) asked for; allocated 4.00 MiB (4,194,304 bytes)"),
                track);
        notebook.ok("%del a");
    }

    @Test
    void aMagicsValueIsATable() {
        LiveNotebook.Result result = notebook.ok("""
                Table stats = magic("memory_stats", "allocated_bytes.all");
                stats.where(stats.stringColumn("statistic").endsWith("current"))""");
        assertTrue(result.last().contains("allocated_bytes.all.current"), result.last());
        assertFalse(result.last().contains("peak"), result.last());
        assertEquals(List.of(), Sanitizer.removed(result.html().get(0)));
    }

    @Test
    void theSummaryIsPyTorchsText() {
        String text = notebook.ok("%memory_summary").last();
        assertTrue(text.startsWith("|===="), text);
        assertEquals(notebook.ok("System.out.print(Cuda.memorySummary())").out().strip(), text.strip());
    }

    @Test
    void everyCellIsFollowedByWhatItDidWhileTrackingIsOn() {
        notebook.ok("%track on");
        LiveNotebook.Result result = notebook
                .ok("Tensor kept = Tensor.zeros(1024, 1024);\nTensor.zeros(1024).close();");
        assertTrue(result.last().contains("]: cuda:0 +4.00 MiB, peak 4.00 MiB, now 4.00 MiB\n"), result.last());
        assertTrue(result.last().replaceAll(" {2,}", "  ").contains(
                "cuda:0  4,194,304  4.00 MiB  4,198,400  4.00 MiB  4,194,304  4.00 MiB  4,198,400  4.00 MiB  4,096  4.00 KiB  0  23,068,672  22.00 MiB"),
                result.last());
        assertTrue(result.last().contains("kept         float32[1024, 1024]  4,194,304  4.00 MiB     1  variable"),
                result.last());
        LiveNotebook.Result timeline = notebook.ok("%memory_timeline");
        assertTrue(timeline.html().get(0).contains("data:image/svg+xml;base64,"), timeline.html().toString());
        assertTrue(timeline.last().contains("kept  Other      float32[1024, 1024]  4,194,304  4.00 MiB  In ["),
                timeline.last());
        notebook.ok("%del kept");
    }

    @Test
    void whoHoldsMostOfThePeakStandsFirst() {
        notebook.ok("%device 2GiB");
        notebook.ok("%track on");
        notebook.ok("""
                var one = Tensor.empty(512, 1024);
                var many = new ArrayList<Tensor>();
                for (int i = 0; i < 4; i++) {
                    many.add(Tensor.empty(256, 1024));
                }
                """);
        String told = notebook.ok("%memory_timeline").last();
        // four of 1 MiB before one of 2 MiB
        assertTrue(told.indexOf("many[0..3]") < told.indexOf("one  "), told);
        notebook.ok("%del one many");
    }

    @Test
    void aTrackedCellGivesItsLinesAndTheirSumsAreTheAllocators() {
        notebook.ok("""
                import java.util.stream.IntStream;
                import java.util.stream.LongStream;
                static long[] totals() {
                    var s = Cuda.memoryStats();
                    return new long[]{s.get("allocated_bytes.all.allocated"), s.get("allocated_bytes.all.freed"),
                            s.get("reserved_bytes.all.allocated")};
                }
                static Tensor deep(int n) {
                    Tensor mine = Tensor.zeros(1000 * (n + 1));
                    return n == 0 ? mine : deep(n - 1);
                }
                long[] before = totals();""");
        String table = notebook.ok("""
                %%track
                Tensor first = Tensor.zeros(1024, 1024);
                for (int i = 0; i < 3; i++) {
                    Tensor.zeros(512, 512).close();
                }
                IntStream.range(0, 4).forEach(i -> {
                    try (Tensor t = Tensor.zeros(100)) {
                        t.add(1).close();
                    }
                });
                deep(3);
                Thread thread = new Thread(() -> Tensor.zeros(777).close());
                thread.start();
                thread.join();
                """).last();
        assertTrue(table.contains("Tensor.zeros(512, 512).close();"), table);
        long[] sums = sums(table);
        String totals = notebook.ok("long[] after = totals();\n"
                + "System.out.println((after[0] - before[0]) + \" \" + (after[2] - before[2]))").out().strip();
        // the deltas of the allocator hold the cell itself alone: nothing allocates between the three cells
        assertEquals(totals, sums[0] + " " + sums[1], table);
        assertTrue(table.lines().anyMatch(l -> l.startsWith("4 ") && l.contains("3  ") && l.contains("3,145,728")),
                table);
    }

    /** Sums of the columns "allocated bytes" and "from device bytes". */
    private static long[] sums(String table) {
        long allocated = 0;
        long device = 0;
        for (String line : table.replaceAll("  +[0-9.]+ [KMG]iB", "").split("\n")) {
            String[] cells = line.strip().split("\\s{2,}");
            if (cells.length >= 8 && cells[1].matches("[0-9,]+")) {
                allocated += Long.parseLong(cells[2].replace(",", ""));
                device += Long.parseLong(cells[7].replace(",", ""));
            }
        }
        return new long[]{allocated, device};
    }

    @Test
    void aTrackedCellThatThrowsStillGivesItsLines() {
        LiveNotebook.Result result = notebook.run("""
                %%track
                Tensor lost = Tensor.zeros(2048);
                int[] a = new int[-1];
                """);
        assertTrue(result.error().contains("NegativeArraySizeException"), result.error());
        assertTrue(result.last().contains("Tensor lost = Tensor.zeros(2048);"), result.last());
        notebook.ok("1 + 1");
    }

    @Test
    void holdsNamesALambdaAStaticFieldAndAUsersField() {
        notebook.ok("""
                class Net { Tensor weight = Tensor.zeros(1000); }
                class Cache { static Tensor kept; Cache() {} }
                java.util.function.Supplier<Tensor> capture(Tensor t) { return () -> t; }
                Net net = new Net();
                Cache.kept = net.weight;
                Cache cache = new Cache();
                var f = capture(net.weight);""");
        String holds = notebook.ok("%holds net").last();
        assertTrue(holds.contains("net.weight"), holds);
        assertTrue(holds.contains("Cache.kept"), holds);
        assertTrue(holds.contains("f.captured[0]"), holds);
        notebook.ok("Cache.kept = null;");
        notebook.ok("%del net cache f");
    }

    @Test
    void hostileNamesAndValuesDoNoHarm() {
        notebook.ok("""
                class Bad { Tensor t = Tensor.zeros(5); public String toString() { throw new RuntimeException("no"); } }
                java.util.Map<Object, Object> m = new java.util.HashMap<>();
                m.put("<img src=x onerror=alert(1)>", Tensor.zeros(7));
                m.put(new Object() { public String toString() { throw new RuntimeException("no"); } }, new Bad());""");
        LiveNotebook.Result track = notebook.ok("%track");
        assertTrue(track.last().contains("m[\"<img src=x onerror=alert(1)>\"]"), track.last());
        assertFalse(track.html().get(0).contains("<img"), track.html().get(0));
        assertEquals(List.of(), Sanitizer.removed(notebook.ok("%memory_map").html().get(0)));
        notebook.ok("%del m");
    }

    @Test
    void aMistakeIsAMessageWithoutAStackTrace() {
        LiveNotebook.Result result = notebook.run("%memory_summary --abrev");
        assertTrue(result.error().contains("%memory_summary: there is no option --abrev."), result.error());
        assertFalse(result.error().contains("io.vramlab.magics"), result.error());
        assertNull(notebook.run("%memory_summary").error());
    }
}
