package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.vramlab.kernel.TestClient.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kernel that nobody asks anything gives its heap back. */
class IdleHeapTest {

    private static final int PATIENCE_MILLIS = 60_000;
    private static final String TOTAL = "Runtime.getRuntime().totalMemory() >> 20";

    @TempDir
    private Path folder;

    private static long mib(TestClient client) {
        Answer answer = client.execute(TOTAL);
        assertEquals("ok", answer.status(), answer::traceback);
        return Long.parseLong(answer.value());
    }

    @Test
    void whatACellLeftOfTheHeapGoesBackWhenNobodyAsksForAWhile() throws Exception {
        JsonObject connection = KernelUnderTest.connection();
        Process process = KernelProcess.start(folder, connection, "-XX:+UseSerialGC", "-Xmx1g",
                "-XX:InitialHeapSize=24m",
                "-XX:-ShrinkHeapInSteps", "-XX:MaxHeapFreeRatio=40", "-Dvramlab.idle.millis=500");
        try (TestClient client = TestClient.ofStarted(connection, PATIENCE_MILLIS)) {
            // 256 MiB in use, then none of it
            Answer filled = client.execute("""
                    var rows = new ArrayList<long[]>();
                    for (int i = 0; i < 256; i++) rows.add(new long[1 << 17]);""");
            assertEquals("ok", filled.status(), filled::traceback);
            Answer dropped = client.execute("rows = null;");
            assertEquals("ok", dropped.status(), dropped::traceback);
            long held = mib(client);
            assertTrue(held >= 256, held + " MiB");
            long now = held;
            for (int i = 0; i < 60 && now >= held / 2; i++) {
                Thread.sleep(1000);
                now = mib(client);
            }
            assertTrue(now < held / 2, held + " MiB, then " + now);
        } catch (AssertionError e) {
            throw new AssertionError(Files.readString(folder.resolve("log")), e);
        } finally {
            process.destroyForcibly();
        }
    }
}
