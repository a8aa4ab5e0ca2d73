package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kernel as frontends start it: a process of its own, from a jar that names the agent. */
class ProcessTest {

    private final JsonObject connection = KernelUnderTest.connection();

    @TempDir
    private Path folder;
    private Process process;
    private TestClient client;

    @BeforeEach
    void start() throws IOException {
        process = KernelProcess.start(folder, connection);
        client = TestClient.ofStarted(connection, TestClient.PATIENCE_MILLIS);
    }

    @AfterEach
    void stop() {
        client.close();
        process.destroyForcibly();
    }

    private void shutDown() throws InterruptedException {
        client.send(client.control, "shutdown_request", TestClient.json("{\"restart\":true}"));
        JsonObject reply = client.await(each -> each.type().equals("shutdown_reply")).content();
        assertTrue(reply.get("restart").getAsBoolean());
        assertEquals("ok", reply.get("status").getAsString());
        assertTrue(process.waitFor(20, TimeUnit.SECONDS), "the process did not end");
        assertEquals(0, process.exitValue());
    }

    @Test
    void itEndsCleanlyAndLeavesAPrivateHistoryAndNoWordOfItsKey() throws Exception {
        client.execute("System.out.println(\"to the notebook\");");
        TestClient.sendFrames(client.shell, List.of("rubbish".getBytes(StandardCharsets.UTF_8)));
        assertEquals("2", client.execute("1+1").value());
        shutDown();
        String log = Files.readString(folder.resolve("log"));
        assertFalse(log.contains(TestClient.KEY), log);
        assertFalse(log.contains("to the notebook"), log);
        assertEquals(1, log.lines().filter(line -> line.contains("message dropped")).count(), log);
        Path history = folder.resolve("private/history.jsonl");
        assertEquals(2, Files.readAllLines(history).size());
        assertEquals("rw-------", PosixFilePermissions
                .toString(Files.getPosixFilePermissions(history)));
        assertEquals("rwx------", PosixFilePermissions
                .toString(Files.getPosixFilePermissions(history.getParent())));
    }

    @Test
    void anotherKernelThatFindsItsPortsTakenSaysSoAndEnds() throws Exception {
        assertEquals("2", client.execute("1+1").value());
        Path elsewhere = Files.createDirectory(folder.resolve("second"));
        Process second = KernelProcess.start(elsewhere, connection);
        try {
            assertTrue(second.waitFor(20, TimeUnit.SECONDS), "the process did not end");
        } finally {
            second.destroyForcibly();
        }
        assertEquals(KernelMain.ADDRESS_TAKEN, second.exitValue());
        assertEquals(
                "[vramlab] The kernel was to listen at tcp://127.0.0.1:%d. Another process does. Start the kernel again: "
                        .formatted(connection.get("shell_port").getAsInt()) + "its frontend then names another port.",
                // the JVM itself says first that a module is an incubating one; nothing comes after ours, no stack trace
                Files.readAllLines(elsewhere.resolve("log")).stream().dropWhile(line -> line.startsWith("WARNING"))
                        .collect(Collectors.joining("\n")));
        assertEquals("3", client.execute("1+2").value());
        shutDown();
    }

    @Test
    void itEndsAlsoWhileACellRunsWhatCannotBeStopped() throws Exception {
        String id = client.sendCell("""
                {
                    var server = new ServerSocket(0);
                    var in = new Socket("127.0.0.1", server.getLocalPort()).getInputStream();
                    System.out.println("begun");
                    in.read();
                }""");
        client.await(each -> each.parentId().equals(id) && each.type().equals("stream"));
        shutDown();
    }

    @Test
    void anObjectRunsTheNewCodeOfItsClass() throws Exception {
        client.execute("class Net { int f = 3; int g() { return f; } }");
        client.execute("var net = new Net(); net.f = 9;");
        assertEquals("", client.execute("class Net { int f = 3; int g() { return f * 10; } }").text("stderr"));
        assertEquals("90", client.execute("net.g()").value());
        String id = client.sendCell("class Net { int f = 3; int g() { System.out.println(1); while (true) { } } }\n"
                + "net.g()");
        client.await(each -> each.parentId().equals(id) && each.type().equals("stream"));
        client.send(client.control, "interrupt_request", new JsonObject());
        assertEquals("Interrupted", client.answer(id).reply().get("ename").getAsString());
        shutDown();
    }

    @Test
    void aFrameOfAClassDeclaredAgainNamesTheCellAndLineOfTheNewText() throws Exception {
        client.execute("class Net { int f(int n) { return 1 / n; } }");
        client.execute("var net = new Net();\nnet.f(1)");
        client.execute("// moved\n\nclass Net { int f(int n) {\n    return 2 / n; } }");
        String trace = client.execute("net.f(0)").traceback();
        assertTrue(trace.contains("Net.f (In [3], line 4)") && trace.contains("    return 2 / n;"), trace);
        shutDown();
    }

    @Test
    void aCellThatInterruptsEveryThreadItFindsHarmsNoneOfTheKernels() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertEquals("ok", client.execute("for (var each : Thread.getAllStackTraces().keySet())\n"
                    + "    if (each != Thread.currentThread()) each.interrupt();").status());
            assertEquals("2", client.execute("1+1").value());
            assertEquals("ok", client.ask(client.control, "kernel_info_request", new JsonObject()).status());
        }
        shutDown();
        String log = Files.readString(folder.resolve("log"));
        assertFalse(log.contains("[vramlab"), log);
    }

    /** As the system sees it: address and port in hexadecimal, 0A for a socket that listens, and its inode. */
    @Test
    void itListensOnTheFivePortsOfTheLoopbackAndNowhereElse() throws Exception {
        Path system = Path.of("/proc", Long.toString(process.pid()));
        assumeTrue(Files.isDirectory(system.resolve("net")), "only Linux tells");
        client.execute("1+1");
        Set<String> own = new HashSet<>();
        try (Stream<Path> descriptors = Files.list(system.resolve("fd"))) {
            for (Path each : descriptors.toList()) {
                if (Files.isSymbolicLink(each)) {
                    own.add(Files.readSymbolicLink(each).toString());
                }
            }
        }
        Set<String> listening = new TreeSet<>();
        for (String family : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(system.resolve("net").resolve(family))) {
                String[] words = line.strip().split("\\s+");
                if (words[3].equals("0A") && own.contains("socket:[" + words[9] + "]")) {
                    assertTrue(words[1].contains("0100007F:"), line);
                    listening.add(words[1].substring(words[1].indexOf(':') + 1));
                }
            }
        }
        Set<String> given = new TreeSet<>();
        for (String port : List.of("shell_port", "control_port", "stdin_port", "iopub_port", "hb_port")) {
            given.add("%04X".formatted(connection.get(port).getAsInt()));
        }
        assertEquals(given, listening);
        shutDown();
    }
}
