package io.vramlab.kernel;

import com.google.gson.JsonObject;
import io.github.spencerpark.jupyter.kernel.KernelConnectionProperties;
import io.vramlab.kernel.internal.history.History;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;

/** A kernel in this process, on ports of its own, and a client of it. */
final class KernelUnderTest implements AutoCloseable {

    private static final String OPENED = "vramlab.test.opened";

    static {
        // made now, they keep this process's error stream, and not that of the first kernel that logs, with all it holds
        Logger.getLogger("").getHandlers();
    }

    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final InputStream in = System.in;
    final CompletableFuture<Integer> exited = new CompletableFuture<>();
    final JsonObject connection = connection();
    final TestClient client;
    /** Null when it has ended: a test's class, which outlives its tests, must not keep what the session held. */
    private Kernel kernel;

    KernelUnderTest() throws IOException {
        kernel = new Kernel(KernelConnectionProperties.parse(connection.toString()), History.defaultPath(),
                exited::complete);
        kernel.start();
        client = TestClient.ofStarted(connection, TestClient.PATIENCE_MILLIS);
    }

    /** A connection file's content with free ports. */
    static JsonObject connection() {
        JsonObject connection = new JsonObject();
        connection.addProperty("ip", "127.0.0.1");
        connection.addProperty("transport", "tcp");
        connection.addProperty("key", TestClient.KEY);
        connection.addProperty("signature_scheme", "hmac-sha256");
        for (String port : List.of("shell_port", "control_port", "stdin_port", "iopub_port", "hb_port")) {
            connection.addProperty(port, TestPorts.next());
        }
        return connection;
    }

    /** Code of a cell that goes on as soon as {@link #open} is called. */
    static String untilOpened(String code) {
        System.clearProperty(OPENED);
        return "while (!Boolean.getBoolean(\"" + OPENED + "\")) Thread.sleep(1);\n" + code;
    }

    /** Lets such a cell go on. */
    static void open() {
        System.setProperty(OPENED, "true");
    }

    /**
     * Sends a cell and returns when it waits behind one that runs. What is only sent may still be on its way when that one
     * ends: a busy machine can stop the client between two sends.
     */
    String queue(String code) throws InterruptedException {
        String id = client.sendCell(code);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(client.patienceMillis);
        while (kernel.waiting() == 0) {
            if (System.nanoTime() > end) {
                throw new AssertionError("it did not come: " + code);
            }
            Thread.sleep(1);
        }
        return id;
    }

    @Override
    public void close() throws Exception {
        try {
            client.send(client.control, "shutdown_request", TestClient.json("{\"restart\":false}"));
            exited.get(20, TimeUnit.SECONDS);
            client.close();
        } finally {
            kernel = null;
            System.setOut(out);
            System.setErr(err);
            System.setIn(in);
        }
    }
}
