package io.vramlab.kernel;

import com.google.gson.JsonObject;
import io.github.spencerpark.jupyter.kernel.KernelConnectionProperties;
import io.vramlab.kernel.internal.channel.BadMessageException;
import io.vramlab.kernel.internal.channel.Channel;
import io.vramlab.kernel.internal.channel.Codec;
import io.vramlab.kernel.internal.channel.Incoming;
import io.vramlab.kernel.internal.channel.Outgoing;
import io.vramlab.kernel.internal.channel.Signer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** A kernel that answers itself: what the JVM sees meanwhile, it keeps in the AOT cache. */
final class AotTraining {

    private static final String HOST = "127.0.0.1";
    private static final int ROUNDS = 40;
    // JeroMQ 0.6 leaves about one in a hundred fresh connections silent on the connecting side (its pull request 1022)
    // until the handshake is given up, after 30 seconds if nothing is said
    private static final int HANDSHAKE_MILLIS = 1000;
    private static final int PATIENCE_SECONDS = 60;
    private static final List<String> CELLS = List.of("1+1", "int x = 3; x * 2", "var names = List.of(\"a\", \"b\");",
            "for (int i = 0; i < 3; i++) System.out.println(\"line \" + i);", "names.size()",
            "class Net { int f = 1; int g(int n) { return f + n; } }", "new Net().g(4)",
            "record Point(int x, int y) { }", "new Point(1, 2)", "int twice(int n) { return 2 * n; }", "twice(4)",
            "names.stream().map(s -> s + \"!\").collect(Collectors.toList())", "%lsmagic", "int z = 1 / 0;",
            "String bad = 5;", "throw new IllegalStateException(\"trained\");");

    private final KernelConnectionProperties connection;
    private final Codec codec;

    AotTraining() throws IOException {
        int[] ports = freePorts(5);
        String key = UUID.randomUUID().toString();
        connection = new KernelConnectionProperties(HOST, ports[0], ports[1], ports[2], ports[3], ports[4], "tcp",
                "hmac-sha256", key);
        try {
            codec = new Codec(new Signer(connection.getSignatureScheme(), connection.getKey()), true);
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static int[] freePorts(int count) throws IOException {
        List<ServerSocket> open = new ArrayList<>();
        int[] ports = new int[count];
        for (int i = 0; i < count; i++) {
            open.add(new ServerSocket(0, 1, InetAddress.getByName(HOST)));
            ports[i] = open.get(i).getLocalPort();
        }
        for (ServerSocket socket : open) {
            socket.close();
        }
        return ports;
    }

    void run(List<String> more) throws IOException, InterruptedException {
        PrintStream out = System.out;
        PrintStream err = System.err;
        CompletableFuture<Integer> ended = new CompletableFuture<>();
        new Kernel(connection, null, ended::complete).start();
        try (ZContext context = new ZContext()) {
            ZMQ.Socket shell = context.createSocket(SocketType.DEALER);
            shell.setReceiveTimeOut(PATIENCE_SECONDS * 1000);
            shell.setHandshakeIvl(HANDSHAKE_MILLIS);
            shell.connect("tcp://" + HOST + ":" + connection.getShellPort());
            ask(shell, "kernel_info_request", new JsonObject());
            CELLS.forEach(each -> execute(shell, each));
            more.forEach(each -> execute(shell, each));
            for (int i = 0; i < ROUNDS; i++) {
                execute(shell, CELLS.get(i % 3));
                JsonObject typed = new JsonObject();
                typed.addProperty("code", "System.out.pri");
                typed.addProperty("cursor_pos", "System.out.pri".length());
                ask(shell, i % 8 == 0 ? "inspect_request" : "complete_request", typed);
                ask(shell, "is_complete_request", typed);
            }
            ask(shell, "shutdown_request", new JsonObject());
            ended.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("the training kernel did not end: " + e, e);
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private void execute(ZMQ.Socket shell, String code) {
        JsonObject content = new JsonObject();
        content.addProperty("code", code);
        content.addProperty("allow_stdin", false);
        ask(shell, "execute_request", content);
    }

    private void ask(ZMQ.Socket shell, String type, JsonObject content) {
        List<byte[]> frames = codec.encode(new Outgoing(Channel.SHELL, List.of(), type, new JsonObject(), content,
                new JsonObject(), List.of()));
        for (int i = 0; i < frames.size(); i++) {
            shell.send(frames.get(i), i < frames.size() - 1 ? ZMQ.SNDMORE : 0);
        }
        List<byte[]> answer = new ArrayList<>();
        do {
            byte[] frame = shell.recv();
            if (frame == null) {
                throw new IllegalStateException("no answer to " + type + " within " + PATIENCE_SECONDS + " s");
            }
            answer.add(frame);
        } while (shell.hasReceiveMore());
        try {
            Incoming reply = codec.decode(Channel.SHELL, answer);
            if (!reply.content().has("status")) {
                throw new IllegalStateException("an answer to " + type + " without status");
            }
        } catch (BadMessageException e) {
            throw new IllegalStateException(e);
        }
    }
}
