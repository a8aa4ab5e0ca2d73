package io.vramlab.install.notebook;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

import com.google.gson.JsonObject;

import io.vramlab.kernel.KernelMain;

/** A fresh kernel in a process of its own, spoken to as Jupyter does. Not for several threads. */
public final class KernelProcess implements AutoCloseable {

    private static final String LOOPBACK = "127.0.0.1";
    private static final List<String> CHANNELS = List.of("shell", "iopub", "stdin", "control", "hb");
    /** Ports that were named to a kernel: one that starts beside it has not yet taken its own. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();
    private static final int STARTS = 3;
    private static final Duration START = Duration.ofSeconds(60);
    // JeroMQ 0.6 leaves about one in a hundred fresh connections silent on the connecting side (its pull request 1022)
    // until the handshake is given up, after 30 seconds if nothing is said
    private static final int HANDSHAKE_MILLIS = 1000;
    private static final long POLL_MS = 200;
    private static final Duration END = Duration.ofSeconds(5);

    private final Path connectionFile;
    private final LastWords words;
    private final Process process;
    private final Map<String, Place> displays = new HashMap<>();
    private final ZContext context = new ZContext();
    private final Wire wire;
    private final ZMQ.Socket shell;
    private final ZMQ.Socket control;
    private final ZMQ.Socket iopub;

    /**
     * Starts a kernel and waits until it answers.
     *
     * @param command the command line, in which <code>{connection_file}</code> stands for the connection file
     * @param folder the kernel's working directory
     * @throws NotebookException when it does not answer
     */
    public static KernelProcess start(List<String> command, Path folder) throws IOException {
        return start(command, folder, Map.of());
    }

    /**
     * Starts a kernel with more in its environment, and waits until it answers. Between the choice of its ports and its start
     * another process may take one of them: then it is started again, with others.
     *
     * @param environment names and values
     * @throws NotebookException when it does not answer
     */
    public static KernelProcess start(List<String> command, Path folder, Map<String, String> environment)
            throws IOException {
        for (int left = STARTS;; left--) {
            KernelProcess session = new KernelProcess(command, folder, environment);
            try {
                session.awaitStart();
                return session;
            } catch (NotebookException silent) {
                session.close();
                if (left == 1 || session.process.isAlive() || session.process.exitValue() != KernelMain.ADDRESS_TAKEN) {
                    throw silent;
                }
            }
        }
    }

    private KernelProcess(List<String> command, Path folder, Map<String, String> environment) throws IOException {
        JsonObject connection = connection();
        connectionFile = Files.createTempFile("vramlab-kernel-", ".json");
        try {
            Files.writeString(connectionFile, connection.toString());
        } catch (IOException full) {
            Files.deleteIfExists(connectionFile);
            throw full;
        }
        List<String> filled = command.stream().map(word -> word.replace("{connection_file}", connectionFile.toString()))
                .toList();
        ProcessBuilder builder = new ProcessBuilder(filled).directory(folder.toFile()).redirectErrorStream(true);
        // what is run again for a comparison is none of the user's own inputs
        builder.environment().put("VRAMLAB_HISTORY", "off");
        // however this process ends, the kernel ends too, and the file with its key goes as soon as it is read
        builder.environment().put("JPY_PARENT_PID", Long.toString(ProcessHandle.current().pid()));
        builder.environment().put("VRAMLAB_CONNECTION_FILE", "once");
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException notStarted) {
            Files.deleteIfExists(connectionFile);
            throw notStarted;
        }
        process.getOutputStream().close();
        words = new LastWords(process.getInputStream());
        wire = new Wire(connection.get("key").getAsString());
        shell = connect(SocketType.DEALER, connection, "shell");
        control = connect(SocketType.DEALER, connection, "control");
        iopub = connect(SocketType.SUB, connection, "iopub");
        iopub.subscribe(ZMQ.SUBSCRIPTION_ALL);
    }

    private static JsonObject connection() throws IOException {
        JsonObject connection = new JsonObject();
        connection.addProperty("transport", "tcp");
        connection.addProperty("ip", LOOPBACK);
        connection.addProperty("signature_scheme", "hmac-sha256");
        connection.addProperty("key", UUID.randomUUID().toString());
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (String channel : CHANNELS) {
                ServerSocket free;
                do {
                    free = new ServerSocket(0, 1, InetAddress.getByName(LOOPBACK));
                    held.add(free);
                } while (!GIVEN.add(free.getLocalPort()));
                connection.addProperty(channel + "_port", free.getLocalPort());
            }
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
        return connection;
    }

    private ZMQ.Socket connect(SocketType type, JsonObject connection, String channel) {
        ZMQ.Socket socket = context.createSocket(type);
        socket.setLinger(0);
        socket.setRcvHWM(0);
        socket.setHandshakeIvl(HANDSHAKE_MILLIS);
        socket.connect("tcp://" + LOOPBACK + ":" + connection.get(channel + "_port").getAsInt());
        return socket;
    }

    /** The subscription takes effect some time after connecting, so a request is repeated until its status is heard. */
    private void awaitStart() {
        long end = System.nanoTime() + START.toNanos();
        while (true) {
            wire.send(shell, "kernel_info_request", new JsonObject());
            boolean heard = false;
            while (ready(iopub)) {
                wire.receive(iopub);
                heard = true;
            }
            if (heard) {
                return;
            }
            if (System.nanoTime() > end || !process.isAlive()) {
                throw new NotebookException("The kernel did not start: "
                        + (process.isAlive() ? "no answer in " + START.toSeconds() + " s" : lastWords()));
            }
        }
    }

    /**
     * Runs one cell.
     *
     * @param source the cell's text
     * @param limit how long it may take
     * @return what it showed; what a later cell shows in its place is shown there too
     * @throws NotebookException when the kernel dies or takes too long
     */
    public List<Output> execute(String source, Duration limit) {
        JsonObject content = new JsonObject();
        content.addProperty("code", source);
        content.addProperty("silent", false);
        content.addProperty("store_history", true);
        content.add("user_expressions", new JsonObject());
        content.addProperty("allow_stdin", false);
        content.addProperty("stop_on_error", false);
        String id = wire.send(shell, "execute_request", content);
        Shown shown = new Shown(displays);
        long end = System.nanoTime() + limit.toNanos();
        while (!shown.idle) {
            while (ready(shell)) {
                wire.receive(shell); // replies: what they say is on iopub too
            }
            if (ready(iopub)) {
                Wire.Message message = wire.receive(iopub);
                if (message.parent().equals(id)) {
                    shown.take(message);
                }
            } else if (!process.isAlive()) {
                throw new NotebookException("The kernel ended: " + lastWords());
            } else if (System.nanoTime() > end) {
                throw new NotebookException("The cell took more than " + limit.toSeconds() + " s.");
            }
        }
        return Collections.unmodifiableList(shown.outputs);
    }

    private boolean ready(ZMQ.Socket socket) {
        try (ZMQ.Poller poller = context.createPoller(1)) {
            poller.register(socket, ZMQ.Poller.POLLIN);
            return poller.poll(socket == iopub ? POLL_MS : 0) > 0;
        }
    }

    private String lastWords() {
        return words.text();
    }

    /** Asks the kernel to end, and ends it if it does not. */
    @Override
    public void close() {
        JsonObject content = new JsonObject();
        content.addProperty("restart", false);
        wire.send(control, "shutdown_request", content);
        try {
            if (!process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
            Files.deleteIfExists(connectionFile);
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (IOException leftBehind) {
            throw new NotebookException("A temporary file is left behind: " + leftBehind.getMessage());
        } finally {
            context.close();
        }
    }

    /** Where something is shown that may be replaced, by a later cell too. */
    private record Place(List<Output> outputs, int index) {
    }

    /** What one cell has shown so far, kept as a notebook keeps it. */
    private static final class Shown {

        private final List<Output> outputs = new ArrayList<>();
        private final Map<String, Place> displays;
        private boolean clearBeforeNext;
        private boolean idle;

        Shown(Map<String, Place> displays) {
            this.displays = displays;
        }

        void take(Wire.Message message) {
            switch (message.type()) {
                case "status" -> idle = message.content().get("execution_state").getAsString().equals("idle");
                case "clear_output" -> {
                    clearBeforeNext = true;
                    if (!message.content().get("wait").getAsBoolean()) {
                        clear();
                    }
                }
                case "stream", "error", "execute_result", "display_data" -> {
                    clear();
                    Output.addTo(outputs, Output.of(message.type(), message.content()));
                    displayId(message.content(), outputs.size() - 1);
                }
                case "update_display_data" -> update(message);
                default -> {
                    // execute_input and comm messages show nothing
                }
            }
        }

        private void clear() {
            if (clearBeforeNext) {
                outputs.clear();
                displays.values().removeIf(place -> place.outputs() == outputs);
                clearBeforeNext = false;
            }
        }

        private void displayId(JsonObject content, int place) {
            if (content.has("transient") && content.getAsJsonObject("transient").has("display_id")) {
                displays.put(content.getAsJsonObject("transient").get("display_id").getAsString(),
                        new Place(outputs, place));
            }
        }

        private void update(Wire.Message message) {
            Place place = displays
                    .get(message.content().getAsJsonObject("transient").get("display_id").getAsString());
            if (place != null) {
                place.outputs().set(place.index(), Output.of(message.type(), message.content()));
            }
        }
    }
}
