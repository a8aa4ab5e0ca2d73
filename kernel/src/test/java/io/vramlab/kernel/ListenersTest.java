package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.spi.Cell;
import io.vramlab.kernel.spi.CellListener;
import io.vramlab.kernel.spi.Outcome;
import io.vramlab.kernel.spi.Session;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What plugged-in listeners hear, and when. */
class ListenersTest {

    /** Writes down what it hears; named in META-INF/services of the tests. */
    public static final class Recorder implements CellListener {

        static final List<String> HEARD = new CopyOnWriteArrayList<>();
        static final CountDownLatch IDLE = new CountDownLatch(1);
        static final Semaphore QUIET = new Semaphore(0);
        static volatile WeakReference<Object> watched = new WeakReference<>(null);

        @Override
        public void sessionStarted(Session session) {
            HEARD.add("session with " + session.variables().size() + " variables");
        }

        @Override
        public void sessionIdle(Session session) {
            IDLE.countDown();
        }

        @Override
        public void quiet(Session session) {
            QUIET.release();
        }

        @Override
        public void cellStarted(Cell cell, Session session) {
            HEARD.add("begin " + cell.number());
        }

        @Override
        public void cellFinished(Cell cell, Outcome outcome, Session session) {
            HEARD.add("end " + cell.number() + (outcome.ok() ? "" : " " + outcome.error().getClass().getSimpleName()));
            if (cell.source().contains("fail the listener")) {
                throw new IllegalStateException("a listener that fails");
            }
            if (cell.source().contains("replaced")) {
                System.gc();
                HEARD.add(watched.get() == null ? "released" : "held");
            }
            session.variable("replaced").ifPresent(each -> watched = new WeakReference<>(each.value()));
        }

        @Override
        public void sessionEnded(Session session) {
            HEARD.add("over");
        }
    }

    @Test
    void listenersHearEachStoredCellOnceAndAfterItsReplacedVariablesAreReleased() throws Exception {
        Recorder.HEARD.clear();
        try (KernelUnderTest kernel = new KernelUnderTest()) {
            TestClient client = kernel.client;
            client.execute("var replaced = new Object();");
            client.execute("var replaced = new Object();");
            client.execute("int z = 1 / 0;");
            client.execute("// fail the listener\n1");
            var silent = TestClient.executeContent("5");
            silent.addProperty("silent", true);
            client.execute(silent);
            assertEquals("2", client.execute("1+1").value());
        }
        assertTrue(Recorder.HEARD.getFirst().startsWith("session with 0"), Recorder.HEARD.toString());
        assertEquals(List.of("begin 1", "end 1", "released", "begin 2", "end 2", "released", "begin 3",
                "end 3 ArithmeticException", "begin 4", "end 4", "begin 5", "end 5", "over"),
                Recorder.HEARD.subList(1, Recorder.HEARD.size()));
    }

    @Test
    void listenersHearWhenNobodyWaitsForTheFirstTime() throws Exception {
        try (KernelUnderTest kernel = new KernelUnderTest()) {
            assertEquals("2", kernel.client.execute("1+1").value());
            assertTrue(Recorder.IDLE.await(30, TimeUnit.SECONDS));
            assertEquals("3", kernel.client.execute("int x = 3;\nx").value());
        }
    }

    @Test
    void listenersHearThatNobodyWaitsAfterEachCell() throws Exception {
        try (KernelUnderTest kernel = new KernelUnderTest()) {
            assertEquals("2", kernel.client.execute("1+1").value());
            assertTrue(Recorder.IDLE.await(30, TimeUnit.SECONDS));
            for (int i = 0; i < 3; i++) {
                Recorder.QUIET.drainPermits();
                assertEquals("ok", kernel.client.execute("int n = 1;").status());
                assertTrue(Recorder.QUIET.tryAcquire(30, TimeUnit.SECONDS));
            }
        }
    }
}
