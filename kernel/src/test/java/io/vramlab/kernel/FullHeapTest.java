package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.vramlab.kernel.TestClient.Answer;
import io.vramlab.kernel.internal.cell.SpareMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * However a cell takes the whole heap, it fails with an explanation, and the next cell works. {@code -Dvramlab.heap=10}
 * takes every shape so often, {@code -Dvramlab.heaps=256m,1g} at these sizes (96m, which is soon full), {@code -Dvramlab.heap.shapes=a.static.*}
 * those of these names.
 */
class FullHeapTest {

    private static final int RUNS = Integer.getInteger("vramlab.heap", 1);
    private static final String[] SIZES = System.getProperty("vramlab.heaps", "96m").split(",");
    private static final int PATIENCE_MILLIS = 240_000;
    private static final Map<String, String> SHAPES = new LinkedHashMap<>();

    static {
        SHAPES.put("a list in a variable", "List<Object> sm = new LinkedList<>(); while (true) sm.add(new long[4]);");
        SHAPES.put("one array", "long[] huge = new long[Integer.MAX_VALUE - 8];");
        SHAPES.put("a text that grows", "var text = new StringBuilder(\"x\"); while (true) text.append(text);");
        SHAPES.put("output that grows", "String s = \"x\"; while (true) { System.out.print(s); s += s; }");
        SHAPES.put("threads",
                """
                        var threads = new ArrayList<Thread>();
                        for (int i = 0; i < 6; i++) {
                            var each = new Thread(() -> { var own = new ArrayList<long[]>(); while (true) own.add(new long[1000]); });
                            threads.add(each);
                            each.start();
                        }
                        for (var each : threads) each.join();""");
        SHAPES.put("a static initializer",
                """
                        class Big { static final List<long[]> ALL = new ArrayList<>(); static { while (ALL.size() >= 0) ALL.add(new long[1000]); } }
                        Big.ALL.size()""");
        SHAPES.put("a static field", """
                class Store { static final List<long[]> ALL = new ArrayList<>(); }
                while (true) Store.ALL.add(new long[1000]);""");
        SHAPES.put("a method in a stream",
                """
                        int fill(int n) { var own = new ArrayList<long[]>(); while (own.size() >= 0) own.add(new long[n]); return n; }
                        IntStream.range(0, 4).map(i -> fill(1000 + i)).sum()""");
        SHAPES.put("a daemon left behind", """
                var left = new ArrayList<long[]>();
                var daemon = new Thread(() -> { while (true) left.add(new long[1000]); });
                daemon.setDaemon(true);
                daemon.start();""");
        SHAPES.put("nested collections", """
                var tree = new HashMap<Integer, Object>();
                {
                    Map<Integer, Object> at = tree;
                    for (int i = 0; ; i++) {
                        var next = new HashMap<Integer, Object>();
                        next.put(-1, new int[100]);
                        at.put(i, next);
                        at = next;
                    }
                }""");
        SHAPES.put("a message",
                "throw new IllegalStateException(\"x\".repeat((int) (Runtime.getRuntime().maxMemory() / 3)));");
        SHAPES.put("a recursion", """
                long deep(int n) { long[] own = new long[20_000]; return n == 0 ? 0 : deep(n - 1) + own.length; }
                deep(1 << 20)""");
        SHAPES.put("a toString",
                """
                        class Wide { public String toString() { var all = new ArrayList<String>(); while (true) all.add("y".repeat(10_000)); } }
                        new Wide()""");
        SHAPES.put("nodes of an own class", """
                class Node { Node next; long[] data = new long[100]; }
                Node head = null;
                while (true) { var node = new Node(); node.next = head; head = node; }""");
        SHAPES.put("a variable of an earlier cell", "while (true) early.add(new byte[100_000]);");
    }

    static {
        String only = System.getProperty("vramlab.heap.shapes", ".*");
        SHAPES.keySet().removeIf(each -> !each.matches(only));
    }

    @TempDir
    private Path folder;
    private Process process;
    private TestClient client;

    private void start(String size) throws IOException {
        JsonObject connection = KernelUnderTest.connection();
        process = KernelProcess.start(folder, connection, "-XX:+UseSerialGC", "-Xmx" + size);
        try {
            client = TestClient.ofStarted(connection, PATIENCE_MILLIS);
        } catch (AssertionError e) {
            String told = KernelProcess.told(process, folder);
            process.destroyForcibly();
            throw new AssertionError(told, e);
        }
    }

    private void stop() {
        client.close();
        process.destroyForcibly();
    }

    @Test
    void aCellThatTakesTheWholeHeapFailsAndTheNextOneWorks() throws Exception {
        Path report = Path.of("target", "full-heap.txt");
        Files.writeString(report, "");
        int lost = 0;
        for (String size : SIZES) {
            start(size);
            for (int i = 0; i < RUNS; i++) {
                for (Map.Entry<String, String> shape : SHAPES.entrySet()) {
                    long begin = System.nanoTime();
                    String told;
                    try {
                        told = run(shape.getKey(), shape.getValue());
                    } catch (AssertionError e) {
                        lost++;
                        told = "LOST " + e.getMessage() + "\n" + KernelProcess.told(process, folder);
                        stop();
                        start(size);
                    }
                    Files.writeString(report, "%s %d %s: %.1f s, %s%n".formatted(size, i, shape.getKey(),
                            (System.nanoTime() - begin) / 1e9, told), StandardOpenOption.APPEND);
                }
            }
            stop();
        }
        assertEquals(0, lost, Files.readString(report));
    }

    /** Whichever thread of the kernel met the end of the heap first let go of what was set aside; then the cell took that too. */
    @Test
    void aCellThatTakesWhatWasSetAsideAsWellFailsAndTheNextOneWorks() throws Exception {
        for (int i = 0; i < RUNS; i++) {
            start("96m");
            try {
                run("what was set aside", "%s.release();%n%s".formatted(SpareMemory.class.getName(),
                        "List<Object> sm = new LinkedList<>(); while (true) sm.add(new long[4]);"));
            } catch (AssertionError e) {
                throw new AssertionError(KernelProcess.told(process, folder), e);
            } finally {
                stop();
            }
        }
    }

    private String run(String name, String code) {
        assertEquals("ok", client.execute("int kept = 41; var early = new ArrayList<Object>();").status());
        Answer answer = client.execute(code);
        String told = answer.status();
        if (told.equals("error")) {
            String text = answer.traceback();
            told = answer.reply().get("ename").getAsString() + " | "
                    + text.lines().filter(each -> each.startsWith("The Java heap")).findFirst().orElse("-");
            if (told.contains("OutOfMemoryError")) {
                assertTrue(text.contains("The Java heap holds"), text);
            }
        }
        if (name.startsWith("a daemon")) {
            // it meets the end of the heap some time after its cell
            client.execute("daemon.join();");
        } else if (!name.equals("threads")) {
            assertEquals("error", answer.status(), name);
        }
        Answer next = client.execute("kept + 1");
        assertEquals("42", next.value(), () -> name + ": " + next.traceback());
        assertEquals("ok", client.ask(client.control, "kernel_info_request", new JsonObject()).status());
        // what was kept shall not slow down the next
        assertEquals("ok", client.execute("%reset").status());
        return told;
    }
}
