package io.vramlab.kernel;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** A frontend: signs, sends and reads messages by itself, so that nothing of the kernel's own code checks itself. */
final class TestClient implements AutoCloseable {

    static final String KEY = "8d7a1f3c-secret-of-this-connection";
    static final int PATIENCE_MILLIS = 120_000;
    // JeroMQ 0.6 leaves about one in a hundred fresh connections silent on the connecting side (its pull request 1022)
    // until the handshake is given up, after 30 seconds if nothing is said; on a busy machine a good one takes a second
    static final int HANDSHAKE_MILLIS = 3000;

    static final int ASK_AGAIN_MILLIS = 10_000;

    /** A message that came in. */
    record Message(String channel, String topic, JsonObject header, JsonObject parent, JsonObject content) {

        String type() {
            return header.get("msg_type").getAsString();
        }

        String parentId() {
            return parent.has("msg_id") ? parent.get("msg_id").getAsString() : "";
        }

        String state() {
            return content.has("execution_state") ? content.get("execution_state").getAsString() : "";
        }
    }

    /** What a request brought. */
    record Answer(List<Message> messages) {

        JsonObject reply() {
            return messages.stream().filter(each -> !each.channel().equals("iopub") && !each.channel().equals("stdin"))
                    .findFirst().orElseThrow().content();
        }

        String status() {
            return reply().get("status").getAsString();
        }

        List<Message> published(String type) {
            return messages.stream().filter(each -> each.channel().equals("iopub") && each.type().equals(type))
                    .toList();
        }

        String text(String name) {
            StringBuilder text = new StringBuilder();
            published("stream").stream().map(Message::content)
                    .filter(each -> each.get("name").getAsString().equals(name))
                    .forEach(each -> text.append(each.get("text").getAsString()));
            return text.toString();
        }

        String stdout() {
            return text("stdout");
        }

        /** The value shown, as plain text, or null. */
        String value() {
            List<Message> results = published("execute_result");
            return results.isEmpty()
                    ? null
                    : results.getFirst().content().getAsJsonObject("data").get("text/plain").getAsString();
        }

        /** The error's text without colours. */
        String traceback() {
            StringBuilder text = new StringBuilder();
            reply().getAsJsonArray("traceback").forEach(each -> text.append(each.getAsString()).append('\n'));
            return text.toString().replaceAll("\u001b\\[[0-9;]*m", "");
        }
    }

    private final ZContext context = new ZContext();
    private final JsonObject connection;
    final ZMQ.Socket shell;
    final ZMQ.Socket control;
    final ZMQ.Socket stdin;
    final ZMQ.Socket iopub;
    /** How long an answer may take. */
    int patienceMillis = PATIENCE_MILLIS;
    private final List<Message> backlog = new ArrayList<>();
    private final String session = UUID.randomUUID().toString();

    TestClient(JsonObject connection) {
        this.connection = connection;
        byte[] identity = UUID.randomUUID().toString().getBytes(US_ASCII);
        shell = socket(SocketType.DEALER, "shell_port", identity);
        control = socket(SocketType.DEALER, "control_port", identity);
        stdin = socket(SocketType.DEALER, "stdin_port", identity);
        iopub = socket(SocketType.SUB, "iopub_port", null);
        // JEP 65: the kernel tells a subscriber that it is connected
        await(message -> message.type().equals("iopub_welcome"));
    }

    /**
     * A client of a kernel that was just started, which has answered it: as jupyter_client does, it asks again who the kernel
     * is until it is told. What is sent while both sides still connect can be lost, and then is told on the terminal.
     */
    static TestClient ofStarted(JsonObject connection, int patienceMillis) {
        TestClient client = new TestClient(connection);
        client.patienceMillis = patienceMillis;
        long end = System.nanoTime() + patienceMillis * 1_000_000L;
        while (true) {
            String id = client.send(client.shell, "kernel_info_request", new JsonObject());
            try {
                client.await(each -> each.type().equals("kernel_info_reply"), ASK_AGAIN_MILLIS);
                client.await(each -> each.state().equals("idle"));
                return client;
            } catch (AssertionError unanswered) {
                System.err.println("kernel_info_request " + id + ": " + unanswered.getMessage());
                if (System.nanoTime() > end) {
                    client.close();
                    throw unanswered;
                }
            }
        }
    }

    private ZMQ.Socket socket(SocketType type, String port, byte[] identity) {
        ZMQ.Socket socket = context.createSocket(type);
        socket.setLinger(0);
        socket.setHWM(0);
        if (identity != null) {
            socket.setIdentity(identity);
        } else {
            socket.subscribe(ZMQ.SUBSCRIPTION_ALL);
        }
        socket.setHandshakeIvl(HANDSHAKE_MILLIS);
        socket.connect("tcp://127.0.0.1:" + connection.get(port).getAsInt());
        return socket;
    }

    static JsonObject json(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    JsonObject header(String type) {
        JsonObject header = new JsonObject();
        header.addProperty("msg_id", UUID.randomUUID().toString());
        header.addProperty("session", session);
        header.addProperty("username", "tester");
        header.addProperty("date", "2026-01-01T00:00:00.000000Z");
        header.addProperty("msg_type", type);
        header.addProperty("version", "5.3");
        return header;
    }

    static byte[] signature(List<byte[]> parts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(KEY.getBytes(US_ASCII), "HmacSHA256"));
            parts.forEach(mac::update);
            return HexFormat.of().formatHex(mac.doFinal()).getBytes(US_ASCII);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** The frames of a rightly signed message with these raw parts. */
    static List<byte[]> frames(String header, String content) {
        List<byte[]> parts = List.of(header.getBytes(UTF_8), "{}".getBytes(UTF_8), "{}".getBytes(UTF_8),
                content.getBytes(UTF_8));
        List<byte[]> frames = new ArrayList<>(List.of("<IDS|MSG>".getBytes(US_ASCII), signature(parts)));
        frames.addAll(parts);
        return frames;
    }

    static void sendFrames(ZMQ.Socket socket, List<byte[]> frames) {
        for (int i = 0; i < frames.size(); i++) {
            socket.send(frames.get(i), i < frames.size() - 1 ? ZMQ.SNDMORE : 0);
        }
    }

    /** Sends a request; its id. */
    String send(ZMQ.Socket socket, String type, JsonObject content) {
        JsonObject header = header(type);
        sendFrames(socket, frames(header.toString(), content.toString()));
        return header.get("msg_id").getAsString();
    }

    static JsonObject executeContent(String code) {
        JsonObject content = new JsonObject();
        content.addProperty("code", code);
        content.addProperty("silent", false);
        content.addProperty("store_history", true);
        content.add("user_expressions", new JsonObject());
        content.addProperty("allow_stdin", false);
        content.addProperty("stop_on_error", true);
        return content;
    }

    String sendCell(String code) {
        return send(shell, "execute_request", executeContent(code));
    }

    Answer execute(String code) {
        return execute(executeContent(code));
    }

    Answer execute(JsonObject content) {
        return answer(send(shell, "execute_request", content));
    }

    Answer ask(ZMQ.Socket socket, String type, JsonObject content) {
        return answer(send(socket, type, content));
    }

    Answer ask(String type, String content) {
        return ask(shell, type, json(content));
    }

    /** Everything up to the reply and the idle status of a request. */
    Answer answer(String id) {
        List<Message> messages = new ArrayList<>();
        boolean replied = false;
        boolean idle = false;
        while (!replied || !idle) {
            Message message = await(each -> each.parentId().equals(id));
            messages.add(message);
            replied |= message.channel().equals("shell") || message.channel().equals("control");
            idle |= message.state().equals("idle");
        }
        return new Answer(messages);
    }

    /** The next message that fits; others wait for a later call. */
    Message await(Predicate<Message> wanted) {
        return await(wanted, patienceMillis);
    }

    Message await(Predicate<Message> wanted, int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        for (int i = 0; i < backlog.size(); i++) {
            if (wanted.test(backlog.get(i))) {
                return backlog.remove(i);
            }
        }
        while (System.nanoTime() < end) {
            for (Message message : poll()) {
                backlog.add(message);
            }
            for (int i = 0; i < backlog.size(); i++) {
                if (wanted.test(backlog.get(i))) {
                    return backlog.remove(i);
                }
            }
        }
        throw new AssertionError("no such message in " + millis + " ms; there were " + backlog.stream()
                .map(each -> each.channel() + ":" + each.type() + each.state()).toList());
    }

    /** Fails if something more of a request has come that was answered. */
    void nothingMoreOf(String id) {
        for (Message message : poll()) {
            backlog.add(message);
        }
        backlog.stream().filter(each -> each.parentId().equals(id)).findFirst().ifPresent(each -> {
            throw new AssertionError(each.type() + " " + each.content());
        });
    }

    private List<Message> poll() {
        List<Message> messages = new ArrayList<>();
        try (ZMQ.Poller poller = context.createPoller(4)) {
            ZMQ.Socket[] sockets = {shell, control, stdin, iopub};
            String[] names = {"shell", "control", "stdin", "iopub"};
            for (ZMQ.Socket socket : sockets) {
                poller.register(socket, ZMQ.Poller.POLLIN);
            }
            poller.poll(100);
            for (int i = 0; i < sockets.length; i++) {
                if (poller.pollin(i)) {
                    messages.add(read(names[i], sockets[i]));
                }
            }
        }
        return messages;
    }

    private static Message read(String channel, ZMQ.Socket socket) {
        List<byte[]> frames = new ArrayList<>();
        do {
            frames.add(socket.recv());
        } while (socket.hasReceiveMore());
        int delimiter = 0;
        while (!new String(frames.get(delimiter), US_ASCII).equals("<IDS|MSG>")) {
            delimiter++;
        }
        List<byte[]> parts = frames.subList(delimiter + 2, delimiter + 6);
        if (!new String(signature(parts), US_ASCII).equals(new String(frames.get(delimiter + 1), US_ASCII))) {
            throw new AssertionError("the kernel signed wrongly");
        }
        return new Message(channel, delimiter == 0 ? "" : new String(frames.get(0), UTF_8),
                json(new String(parts.get(0), UTF_8)), json(new String(parts.get(1), UTF_8)),
                json(new String(parts.get(3), UTF_8)));
    }

    /** Whether a content is JSON without a field given twice, so that it will be answered and not dropped. */
    boolean delivered(String content) {
        try {
            json(content);
            return true;
        } catch (JsonParseException e) {
            return false;
        }
    }

    /** Another frontend on the same kernel. */
    TestClient another() {
        return new TestClient(connection);
    }

    @Override
    public void close() {
        context.close();
    }
}
