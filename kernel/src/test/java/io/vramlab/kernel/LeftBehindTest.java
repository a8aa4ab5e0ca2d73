package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.vramlab.kernel.TestClient.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cell that could not be stopped does nothing more when the call returns that it was stuck in. */
class LeftBehindTest {

    private static KernelUnderTest kernel;
    private static TestClient client;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws Exception {
        kernel = new KernelUnderTest();
        client = kernel.client;
    }

    @AfterAll
    static void stop() throws Exception {
        kernel.close();
    }

    /** It has said that it has begun; interrupted before it reads, it would simply stop. */
    private static void waitUntilItReads() throws InterruptedException {
        Thread cell = (Thread) System.getProperties().get("stuck");
        while (Arrays.stream(cell.getStackTrace()).noneMatch(each -> each.getMethodName().equals("implRead"))) {
            Thread.sleep(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"in.read(); LATE", "got = in.read(); LATE",
            "try { in.read(); } catch (Throwable e) { } LATE",
            "try { in.read(); } finally { LATE }", "try { in.read(); LATE } catch (Throwable e) { LATE }",
            "try { try { in.read(); } finally { LATE } } catch (Throwable e) { LATE }",
            "synchronized (in) { in.read(); LATE } LATE",
            "synchronized (in) { try { in.read(); } catch (Throwable e) { LATE } }",
            "Runnable r = () -> { try { in.read(); LATE } catch (Exception e) { LATEUNCHECKED } }; r.run(); LATE",
            "Stream.of(1, 2).forEach(n -> { try { in.read(); } catch (Exception e) { } LATEUNCHECKED });",
            "new Object() { int n; { try { n = in.read(); } catch (Exception e) { LATEUNCHECKED } got = n; } };",
            "new java.io.DataInputStream(in).readByte(); LATE",
            "switch (in.read()) { case 1 -> { LATE } default -> { LATE } }",
            "int[] a = {0}; a[0] = in.read(); got = a[0];", "got += in.read();",
            "for (int i = 0; i < 3; i++) { in.read(); LATE }"})
    void itsThreadChangesNothingAndPrintsNothing(String body) throws Exception {
        Path file = folder.resolve("late");
        String unchecked = "got = 1; System.out.println(\"late\"); io.vramlab.kernel.spi.Notebook.display(\"late\"); "
                + "try { Files.writeString(Path.of(\"" + file + "\"), \"late\"); } catch (Exception ex) { }";
        String late = "got = 1; System.out.println(\"late\"); io.vramlab.kernel.spi.Notebook.display(\"late\"); Files.writeString(Path.of(\""
                + file + "\"), \"late\");";
        client.execute("var server = new ServerSocket(0);\nint got = 0;\n"
                + "var socket = new Socket(\"127.0.0.1\", server.getLocalPort());\nvar peer = server.accept();");
        String id = client.sendCell(
                "{\nvar in = socket.getInputStream();\nvar me = Thread.currentThread();\nSystem.getProperties().put(\"stuck\", me);\n"
                        + "System.out.println(\"begun\");\n"
                        + body.replace("LATEUNCHECKED", unchecked).replace("LATE", late) + "\n}");
        TestClient.Message first = client.await(each -> each.parentId().equals(id)
                && (each.type().equals("stream") || each.type().equals("error")));
        assertEquals("stream", first.type(), () -> first.content().toString());
        waitUntilItReads();
        client.send(client.control, "interrupt_request", new JsonObject());
        Answer answer = client.answer(id);
        assertTrue(answer.traceback().contains("left behind"), answer.traceback());

        Answer next = client.execute("peer.getOutputStream().write(new byte[]{1, 2, 3, 4});\n"
                + "((Thread) System.getProperties().get(\"stuck\")).join(20_000);\n"
                + "System.out.println(((Thread) System.getProperties().get(\"stuck\")).isAlive());\ngot");
        assertEquals("0", next.value(), next::traceback);
        assertEquals("false\n", next.stdout());
        assertFalse(Files.exists(file));
        assertEquals("ok", client.execute("socket.close(); peer.close(); server.close();").status());
        client.nothingMoreOf(id);
    }
}
