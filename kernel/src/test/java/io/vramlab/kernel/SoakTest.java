package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A long session in short: heap, threads and classes are as after its beginning. {@code -Dvramlab.soak=20000} makes it
 * long.
 */
class SoakTest {

    private static final int CELLS = Integer.getInteger("vramlab.soak", 300);

    private record State(long heapMib, int threads, long classes) {

        static State now() {
            for (int i = 0; i < 3; i++) {
                System.gc();
            }
            return new State((Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20,
                    ManagementFactory.getThreadMXBean().getThreadCount(),
                    ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
        }
    }

    @Test
    void heapThreadsAndClassesAreFlat() throws Exception {
        try (KernelUnderTest kernel = new KernelUnderTest()) {
            TestClient client = kernel.client;
            client.execute("record Row(int n, String text) { }");
            run(client, 0, CELLS / 3);
            State early = State.now();
            run(client, CELLS / 3, CELLS);
            State late = State.now();
            assertTrue(late.heapMib() <= early.heapMib() + 30, early + " then " + late);
            assertTrue(late.threads() <= early.threads() + 2, early + " then " + late);
            Files.writeString(Path.of("target", "soak.txt"), CELLS + " cells: " + early + " then " + late + "\n");
            // every fourth cell declares a variable again, with a lambda; the JDK may load something late
            assertTrue(late.classes() <= early.classes() + 50, early + " then " + late);
        }
    }

    @Test
    @Tag("long")
    void newCompilersTakeOverWhatTheFormerOnesKnew() throws Exception {
        try (KernelUnderTest kernel = new KernelUnderTest()) {
            TestClient client = kernel.client;
            client.execute("record Row(int n, String text) { }\nint twice(int n) { return 2 * n; }");
            // after a thousand uses a compiler makes room for another, JShell's for declarations and the one for the rest
            for (int i = 0; i < 1_010; i++) {
                assertEquals(String.valueOf(2 * i), client.execute("var row = new Row(%d, \"x\");\ntwice(row.n())"
                        .formatted(i)).value());
            }
        }
    }

    private static void run(TestClient client, int from, int to) {
        for (int i = from; i < to; i++) {
            switch (i % 4) {
                case 0 -> assertEquals("ok", client.execute("var table = IntStream.range(0, 200)"
                        + ".mapToObj(n -> new Row(n, \"row \" + n)).toList();").status());
                // the first 100 rows and the head
                case 1 -> assertEquals(101, client.execute("table").published("execute_result").getFirst().content()
                        .getAsJsonObject("data").get("text/html").getAsString().split("<tr>").length - 1);
                case 2 -> assertEquals("line " + i + "\n", client.execute("System.out.println(\"line " + i + "\");")
                        .stdout());
                default -> assertEquals("error", client.execute("table.get(500)").status());
            }
        }
    }
}
