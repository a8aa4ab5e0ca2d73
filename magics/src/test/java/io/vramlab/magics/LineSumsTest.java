package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.LiveNotebook;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines of {@code %%track} add up to what the allocator counted, to the byte, whatever the cell does. */
class LineSumsTest {

    private static LiveNotebook notebook;

    @BeforeAll
    static void start() throws Exception {
        notebook = new LiveNotebook();
        notebook.ok("%device 1GiB");
        notebook.ok("""
                static String totals() {
                    var s = Cuda.memoryStats();
                    return s.get("allocation.all.allocated") + " " + s.get("allocated_bytes.all.allocated") + " "
                            + s.get("allocated_bytes.all.freed") + " " + s.get("reserved_bytes.all.allocated");
                }
                static int down(int n) {
                    try (Tensor mine = Tensor.zeros(1000 * (n + 1))) {
                        return n == 0 ? 0 : 1 + down(n - 1);
                    }
                }
                static Tensor twice(java.util.function.Supplier<Tensor> made) {
                    try (Tensor first = made.get()) {
                        return first.add(first);
                    }
                }
                var net = new Sequential(new Linear(64, 64), new ReLU(), new Linear(64, 1));""");
    }

    @AfterAll
    static void stop() throws Exception {
        notebook.close();
    }

    private static long[] totals() {
        return Arrays.stream(notebook.ok("System.out.print(totals());").out().split(" ")).mapToLong(Long::parseLong)
                .toArray();
    }

    /** Sums of allocations, allocated, freed and from device over the lines of the table. */
    private static long[] sums(String table) {
        long[] sums = new long[4];
        List<Integer> columns = List.of(1, 2, 3, 7);
        for (String line : table.replaceAll("  +[0-9.]+ [KMG]iB", "").split("\n")) {
            String[] cells = line.strip().split("\\s{2,}");
            if (cells.length >= 8 && cells[1].matches("[0-9,]+")) {
                for (int i = 0; i < sums.length; i++) {
                    sums[i] += Long.parseLong(cells[columns.get(i)].replace(",", ""));
                }
            }
        }
        return sums;
    }

    /** The table of the lines; they must add up. */
    private static String tracked(String body) {
        notebook.ok("%gc");
        notebook.ok("%empty_cache");
        long[] before = totals();
        LiveNotebook.Result result = notebook.run("%%track\n" + body + "\nlong[] seen = {0};");
        String table = result.plain().stream().filter(p -> p.contains("line by line")).findFirst().orElseThrow();
        long[] after = totals();
        long[] counted = new long[4];
        Arrays.setAll(counted, i -> after[i] - before[i]);
        assertEquals(Arrays.toString(counted), Arrays.toString(sums(table)), table);
        return table;
    }

    @ParameterizedTest
    @ValueSource(strings = {"for (int i = 0; i < 50; i++) {\n  Tensor.zeros(100 * i + 1).close();\n}",
            "java.util.stream.IntStream.range(1, 40).forEach(i -> {\n  try (Tensor t = Tensor.zeros(i)) {\n    t.add(1).close();\n"
                    + "  }\n});",
            "down(30);", "twice(() -> Tensor.ones(4096)).close();",
            "try (var scope = Scope.open()) {\n  net.call(Tensor.ones(16, 64)).sum().backward();\n}\nnet.zeroGrad();",
            "Tensor.zeros(3 << 20).close();\nCuda.emptyCache();\nTensor.zeros(5 << 20).close();",
            "for (int i = 0; i < 3; i++) {\n  try {\n    Tensor.empty(1L << 40);\n  } catch (RuntimeException tooLarge) {\n"
                    + "    Tensor.zeros(10).close();\n  }\n}"})
    void theyAddUp(String body) {
        tracked(body);
    }

    @Test
    void theyAddUpForSeveralThreadsAtOnce() {
        String table = tracked("""
                var threads = new ArrayList<Thread>();
                for (int i = 0; i < 4; i++) {
                    threads.add(new Thread(() -> {
                        for (int n = 1; n < 200; n++) {
                            Tensor.zeros(n).close();
                        }
                    }));
                }
                for (Thread each : threads) each.start();
                for (Thread each : threads) each.join();""");
        // 4 threads of 199 tensors, all on the one line of the lambda
        assertTrue(table.lines().anyMatch(l -> l.startsWith("6 ") && l.contains(" 796 ")), table);
    }

    @Test
    void theyAddUpWhenTheCellThrowsHalfWay() {
        String table = tracked("""
                Tensor made = Tensor.zeros(2048);
                made.close();
                int[] none = new int[-1];
                Tensor.zeros(4096).close();""");
        assertTrue(table.contains("Tensor made = Tensor.zeros(2048);") && !table.contains("zeros(4096)"), table);
    }

    @Test
    void recursionThroughCellsIsCountedWhereItAllocates() {
        String table = tracked("down(9);");
        assertTrue(table.lines().anyMatch(l -> l.startsWith("In [") && l.contains("]:7")), table);
        assertTrue(table.lines().anyMatch(l -> l.contains("  10  ")), table);
    }
}
