package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.vramlab.kernel.TestClient.Answer;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Threads that send while they are interrupted. An interrupt closes the {@code java.nio} channel that its thread uses, so
 * a cell's thread must never touch one of the kernel's.
 */
class InterruptedSendersTest {

    /** At rest it needs none; where it spins it takes what it gets, on a busy machine a tenth of a core. */
    private static final long PROCESSOR_NANOS_AT_REST = 30_000_000;

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

    /** A closed channel is readable for ever: the sockets' thread would spin. */
    @AfterEach
    void theKernelAnswersAndItsSocketsRest() throws InterruptedException {
        assertEquals("2", client.execute("1+1").value());
        long before = processorNanosOfSockets();
        Thread.sleep(1000);
        assertTrue(processorNanosOfSockets() - before < PROCESSOR_NANOS_AT_REST);
    }

    private static long processorNanosOfSockets() {
        long id = Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().equals("channels"))
                .mapToLong(Thread::threadId).findFirst().orElseThrow();
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(id);
    }

    @Test
    void aCellThatPrintsWhileItIsInterrupted() {
        for (int i = 0; i < 10; i++) {
            String id = client.sendCell("for (int i = 0;; i++) { System.out.println(i); display(i);"
                    + " java.util.concurrent.locks.LockSupport.parkNanos(1_000_000); }");
            client.await(each -> each.parentId().equals(id) && each.type().equals("stream"));
            client.send(client.control, "interrupt_request", new JsonObject());
            assertEquals("Interrupted", client.answer(id).reply().get("ename").getAsString());
        }
    }

    @Test
    void aCellThatInterruptsItselfAndThenShowsAndPrints() {
        Answer answer = client.execute("""
                boolean kept = true;
                for (int i = 0; i < 100; i++) {
                    Thread.currentThread().interrupt();
                    display("shown " + i);
                    System.out.println("printed " + i);
                    System.out.flush();
                    clearOutput(true);
                    kept &= Thread.interrupted();
                }
                kept""");
        assertEquals("true", answer.value());
        assertEquals(100, answer.published("display_data").size());
        assertEquals(100, answer.published("clear_output").size());
        assertTrue(answer.stdout().endsWith("printed 99\n"));
    }

    @Test
    void threadsOfEveryKindThatAreInterruptedWhileTheyShow() {
        Answer answer = client.execute("""
                for (var kind : List.of(Thread.ofPlatform(), Thread.ofVirtual())) {
                    var threads = IntStream.range(0, 10).mapToObj(n -> kind.start(() -> {
                        for (int i = 0; i < 50; i++) {
                            display(i);
                        }
                    })).toList();
                    for (int i = 0; i < 50; i++) {
                        threads.forEach(Thread::interrupt);
                        Thread.yield();
                    }
                    for (var thread : threads) {
                        thread.join();
                    }
                }""");
        assertEquals("ok", answer.status());
        assertEquals(2 * 10 * 50, answer.published("display_data").size());
    }

    @Test
    void aRecursionThatPrintsUntilTheStackIsFull() {
        for (int i = 0; i < 3; i++) {
            Answer answer = client.execute("void deeper(int n) { System.out.print(n); if (n % 64 == 0) display(n);"
                    + " deeper(n + 1); }\ndeeper(0);");
            assertEquals("java.lang.StackOverflowError", answer.reply().get("ename").getAsString());
        }
    }
}
