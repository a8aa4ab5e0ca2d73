package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.vramlab.kernel.TestClient.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a cell waits for, an interrupt ends it and nothing is lost. */
class InterruptTest {

    private static KernelUnderTest kernel;
    private static TestClient client;

    @BeforeAll
    static void start() throws Exception {
        kernel = new KernelUnderTest();
        client = kernel.client;
    }

    @AfterAll
    static void stop() throws Exception {
        kernel.close();
    }

    private static void interrupt() {
        client.send(client.control, "interrupt_request", new JsonObject());
    }

    /** Runs code, interrupts it when it has printed something. */
    private static Answer interruptedAfterItsFirstWord(String code) {
        client.execute("int kept = 41;");
        String id = client.sendCell(code);
        client.await(each -> each.parentId().equals(id) && each.type().equals("stream"));
        interrupt();
        return client.answer(id);
    }

    @ParameterizedTest
    @ValueSource(strings = {"while (true) { }", "for (;;) Thread.onSpinWait();", "Thread.sleep(60_000);",
            "synchronized (\"lock\") { \"lock\".wait(); }", "new CountDownLatch(1).await();",
            "new LinkedBlockingQueue<String>().take();", "new CompletableFuture<String>().get();",
            "IntStream.iterate(0, i -> i + 1).parallel().filter(i -> i < 0).findAny();",
            "try (var pool = Executors.newFixedThreadPool(2)) { pool.submit(() -> { while (true) { } }).get(); }",
            "while (true) { try { Thread.sleep(60_000); } catch (InterruptedException e) { } }",
            "while (true) { try { while (true) { } } catch (Throwable e) { } }",
            "int spin(int n) { return n < 0 ? n : spin(n % 100 + 1) ; }\nwhile (true) { try { spin(0); } catch (StackOverflowError e) { } }",
            "new ProcessBuilder(\"sleep\", \"60\").start().waitFor();",
            "java.util.concurrent.locks.LockSupport.park(); while (true) { }"})
    void everyKindOfBlockingCodeStopsAndVariablesAreKept(String code) {
        Answer answer = interruptedAfterItsFirstWord("System.out.println(\"begun\");\n" + code);
        assertEquals("Interrupted", answer.reply().get("ename").getAsString(), answer.reply().toString());
        assertEquals("42", client.execute("kept + 1").value());
    }

    @Test
    void aCellThatReadsInputStops() {
        JsonObject content = TestClient.executeContent("System.in.read()");
        content.addProperty("allow_stdin", true);
        String id = client.send(client.shell, "execute_request", content);
        client.await(each -> each.channel().equals("stdin"));
        interrupt();
        assertEquals("Interrupted", client.answer(id).reply().get("ename").getAsString());
        assertEquals("2", client.execute("1+1").value());
    }

    @Test
    void anInterruptBeforeTheCodeBeginsIsRemembered() {
        String id = client.sendCell("Thread.sleep(60_000);");
        client.await(each -> each.parentId().equals(id) && each.state().equals("busy"));
        interrupt();
        assertEquals("Interrupted", client.answer(id).reply().get("ename").getAsString());
    }

    @Test
    void cellsQueuedBehindAnInterruptedOneDoNotRun() throws Exception {
        String running = client.sendCell("System.out.println(1); Thread.sleep(60_000);");
        client.await(each -> each.parentId().equals(running) && each.type().equals("stream"));
        String queued = kernel.queue("int never = 1;");
        interrupt();
        assertEquals("error", client.answer(running).status());
        assertEquals("aborted", client.answer(queued).status());
    }

    @Test
    void anInterruptWhileNothingRunsHarmsNothing() {
        client.answer(client.send(client.control, "interrupt_request", new JsonObject()));
        assertEquals("2", client.execute("1+1").value());
    }

    @Test
    void whatCannotBeStoppedIsNamedAndLeftBehind() {
        Answer answer = interruptedAfterItsFirstWord("""
                {
                    var server = new java.net.ServerSocket(0);
                    var in = new java.net.Socket("127.0.0.1", server.getLocalPort()).getInputStream();
                    System.out.println("begun");
                    in.read();
                }""");
        String text = answer.traceback();
        assertTrue(text.contains("does not react to interrupts"), text);
        assertTrue(text.contains("Socket"), text);
        assertEquals("42", client.execute("kept + 1").value());
    }

    @Test
    void theThreadsOfAnInterruptedCellEndToo() {
        client.execute("var ticks = new java.util.concurrent.atomic.AtomicLong();\n"
                + "var ended = new CountDownLatch(1);");
        interruptedAfterItsFirstWord("""
                {
                    new Thread(() -> {
                        try {
                            System.out.println("begun");
                            while (true) ticks.incrementAndGet();
                        } finally {
                            ended.countDown();
                        }
                    }).start();
                    Thread.sleep(60_000);
                }""");
        assertEquals("true", client.execute("ended.await(20, TimeUnit.SECONDS)").value());
    }
}
