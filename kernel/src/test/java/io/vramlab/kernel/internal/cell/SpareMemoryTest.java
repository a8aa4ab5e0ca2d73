package io.vramlab.kernel.internal.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** What is set aside is there while cells run, and not while the kernel waits. */
class SpareMemoryTest {

    @Test
    void restingKeepsNothingAndACollectionDoesNotBringItBack() throws InterruptedException {
        SpareMemory.watch();
        long bytes = SpareMemory.bytes();
        assertTrue(bytes >= 2 << 20, bytes + " bytes");
        SpareMemory.rest();
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(20);
            assertEquals(0, SpareMemory.bytes());
        }
        SpareMemory.wake();
        assertTrue(SpareMemory.bytes() >= 2 << 20, SpareMemory.bytes() + " bytes");
    }

    /** In a group of its own: cells of other tests may have left threads behind too. */
    @Test
    void aThreadThatACellLeftBehindCountsAsRunning() throws Exception {
        FutureTask<Void> alone = new FutureTask<>(SpareMemoryTest::leaveAThreadBehind, null);
        new Thread(new ThreadGroup("alone"), alone).start();
        alone.get();
    }

    private static void leaveAThreadBehind() {
        CountDownLatch end = new CountDownLatch(1);
        CellRun run = new CellRun(1, new JsonObject(), List.of(), false, false);
        assertFalse(CellRun.threadsRun());
        Thread left = new Thread(run.threads(), () -> await(end));
        left.start();
        assertTrue(CellRun.threadsRun());
        end.countDown();
        await(left);
        assertFalse(CellRun.threadsRun());
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
