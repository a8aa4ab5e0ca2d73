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

/** A kernel in this process, on ports of its own, and a client of it. */
final class KernelUnderTest implements AutoCloseable {

    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final InputStream in = System.in;
    final CompletableFuture<Integer> exited = new CompletableFuture<>();
    final JsonObject connection = connection();
    final TestClient client;

    KernelUnderTest() throws IOException {
        new Kernel(KernelConnectionProperties.parse(connection.toString()), History.defaultPath(), exited::complete)
                .start();
        client = new TestClient(connection);
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

    @Override
    public void close() throws Exception {
        try {
            client.send(client.control, "shutdown_request", TestClient.json("{\"restart\":false}"));
            exited.get(20, TimeUnit.SECONDS);
            client.close();
        } finally {
            System.setOut(out);
            System.setErr(err);
            System.setIn(in);
        }
    }
}
