package io.vramlab.kernel.internal.channel;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import io.github.spencerpark.jupyter.kernel.KernelConnectionProperties;
import io.vramlab.kernel.internal.cell.KernelThread;
import io.vramlab.kernel.internal.cell.SpareMemory;
import java.io.IOException;
import java.net.BindException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/** The kernel's sockets and the one thread that reads and writes them. */
public final class Channels implements AutoCloseable {

    /** Told of each good message, on the sockets' thread: must not block. */
    public interface Receiver {

        /** Takes a message. */
        void received(Incoming message);
    }

    private static final Logger LOG = Logger.getLogger(Channels.class.getName());
    /** No notebook is larger; a frame that claims to be is refused before memory is taken for it. */
    private static final long LARGEST_MESSAGE_BYTES = 512L << 20;
    private static final int CLOSE_MILLIS = 2000;
    /** How often is tried what there is no memory for. */
    private static final int TRIES = 100;
    /** So many messages are taken from a socket before another gets its turn: a flood holds up no interrupt and no reply. */
    private static final int MESSAGES_A_TURN = 64;

    private final ZContext context = new ZContext();
    private final Map<Channel, ZMQ.Socket> sockets = new EnumMap<>(Channel.class);
    private final Codec codec;
    private final Receiver receiver;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /** Waking it is the one thing that threads of cells do here: no channel of ours is open to their interrupts. */
    private final Selector selector;
    private final Heartbeat heartbeat;
    private final Thread thread;
    private volatile boolean closing;

    /**
     * Binds the sockets; {@link #start} begins to read them.
     *
     * @throws BindException
     *             if an address is in use
     * @throws IOException
     *             if the signature scheme is unknown
     */
    public Channels(KernelConnectionProperties connection, Receiver receiver) throws IOException {
        this.receiver = receiver;
        boolean signed = connection.getKey() != null && !connection.getKey().isEmpty();
        try {
            codec = new Codec(signed ? new Signer(connection.getSignatureScheme(), connection.getKey()) : null, signed);
        } catch (GeneralSecurityException e) {
            throw new IOException("signature scheme " + connection.getSignatureScheme() + " is not known here", e);
        }
        selector = Selector.open();
        context.setThreadFactor((work, name) -> new KernelThread(name, work));
        bind(Channel.SHELL, SocketType.ROUTER, ConnectionFile.address(connection, connection.getShellPort()));
        bind(Channel.CONTROL, SocketType.ROUTER, ConnectionFile.address(connection, connection.getControlPort()));
        bind(Channel.STDIN, SocketType.ROUTER, ConnectionFile.address(connection, connection.getStdinPort()));
        bind(Channel.IOPUB, SocketType.XPUB, ConnectionFile.address(connection, connection.getIopubPort()));
        heartbeat = new Heartbeat(ConnectionFile.address(connection, connection.getHbPort()));
        new KernelThread("heartbeat", heartbeat).start();
        thread = new KernelThread("channels", this::loop);
    }

    private void bind(Channel channel, SocketType type, String address) throws BindException {
        ZMQ.Socket socket = context.createSocket(type);
        // the high-water mark drops silently, the idle status included; output is bounded where it is made
        socket.setHWM(0);
        socket.setLinger(CLOSE_MILLIS);
        socket.setMaxMsgSize(LARGEST_MESSAGE_BYTES);
        if (type == SocketType.ROUTER) {
            socket.setRouterHandover(true);
        } else {
            socket.setXpubVerbose(true);
        }
        bind(socket, address);
        sockets.put(channel, socket);
    }

    /** Listens there, and says where it could not. */
    static void bind(ZMQ.Socket socket, String address) throws BindException {
        try {
            socket.bind(address);
        } catch (ZMQException refused) {
            if (refused.getErrorCode() != ZMQ.Error.EADDRINUSE.getCode()) {
                throw refused;
            }
            throw (BindException) new BindException(address).initCause(refused);
        }
    }

    /** Begins to read. */
    public void start() {
        thread.start();
    }

    /** Queues a message; messages leave in the order of these calls. Safe from any thread. */
    public void send(Outgoing message) {
        List<byte[]> frames = codec.encode(message);
        submit(() -> {
            if (message.channel() == Channel.IOPUB) {
                read(Channel.IOPUB, Integer.MAX_VALUE); // who has just subscribed is welcomed before it gets anything else (JEP 65)
            }
            write(sockets.get(message.channel()), frames);
        });
    }

    /** Returns when everything that had arrived on the shell before this call has been given to the receiver. */
    public void settle() throws InterruptedException {
        CountDownLatch read = new CountDownLatch(1);
        submit(() -> {
            read(Channel.SHELL, Integer.MAX_VALUE);
            read.countDown();
        });
        read.await(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void submit(Runnable task) {
        tasks.add(task);
        selector.wakeup();
    }

    private void loop() {
        try (selector) {
            for (ZMQ.Socket socket : sockets.values()) {
                socket.getFD().register(selector, SelectionKey.OP_READ);
            }
            while (!closing) {
                try {
                    turn();
                } catch (OutOfMemoryError e) {
                    SpareMemory.await();
                }
            }
            runTasks();
        } catch (IOException e) {
            LOG.log(Level.SEVERE, "the kernel is deaf from here on: {0}", e.toString());
        }
    }

    private void turn() throws IOException {
        try {
            // a socket's descriptor tells of news, not of messages left: those are asked for
            if (sockets.values().stream().noneMatch(Channels::hasMessage)) {
                selector.select(key -> {
                });
                if (tasks.isEmpty() && sockets.values().stream().noneMatch(Channels::hasMessage)) {
                    // woken by a thread of ZeroMQ's that counts its news only after it has told of them, and that this
                    // one may have pushed off its processor
                    Thread.yield();
                }
            }
            runTasks();
            for (Channel channel : Channel.values()) {
                read(channel, MESSAGES_A_TURN);
            }
        } catch (RuntimeException | OutOfMemoryError e) {
            SpareMemory.log(LOG, Level.WARNING, "a message may be lost: {0}", e);
        }
    }

    private static boolean hasMessage(ZMQ.Socket socket) {
        return (socket.getEvents() & ZMQ.Poller.POLLIN) != 0;
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (RuntimeException | OutOfMemoryError e) {
                SpareMemory.log(LOG, Level.WARNING, "a message was not sent: {0}", e);
            }
        }
    }

    private void read(Channel channel, int most) {
        ZMQ.Socket socket = sockets.get(channel);
        for (int i = 0; i < most; i++) {
            List<byte[]> frames = new ArrayList<>(8);
            byte[] frame = receive(socket, ZMQ.DONTWAIT);
            if (frame == null) {
                return;
            }
            frames.add(frame);
            // a message arrives whole or not at all, so these do not block
            while (socket.hasReceiveMore()) {
                frames.add(receive(socket, 0));
            }
            accept(channel, frames);
        }
    }

    private static byte[] receive(ZMQ.Socket socket, int flags) {
        return insist(() -> socket.recv(flags));
    }

    private void accept(Channel channel, List<byte[]> frames) {
        try {
            if (channel == Channel.IOPUB) {
                welcome(frames.get(0));
            } else {
                Incoming message = insist(() -> codec.decode(channel, frames));
                insist(() -> {
                    receiver.received(message);
                    return null;
                });
            }
        } catch (BadMessageException e) {
            LOG.log(Level.WARNING, "{0}: message dropped: {1}", new Object[]{channel, e.getMessage()});
        } catch (RuntimeException | OutOfMemoryError e) {
            SpareMemory.log(LOG, Level.WARNING, "message dropped: {0}", e);
        }
    }

    /** Tells a new subscriber that it is connected (JEP 65), so that it need not guess with kernel_info requests. */
    private void welcome(byte[] subscription) {
        if (subscription.length > 0 && subscription[0] == 1) {
            byte[] topic = Arrays.copyOfRange(subscription, 1, subscription.length);
            JsonObject content = new JsonObject();
            content.addProperty("subscription", new String(topic, UTF_8));
            write(sockets.get(Channel.IOPUB), codec.encode(new Outgoing(Channel.IOPUB, List.of(topic), "iopub_welcome",
                    new JsonObject(), content, new JsonObject(), List.of())));
        }
    }

    private static void write(ZMQ.Socket socket, List<byte[]> frames) {
        for (int i = 0; i < frames.size(); i++) {
            byte[] frame = frames.get(i);
            int flags = i < frames.size() - 1 ? ZMQ.SNDMORE : 0;
            insist(() -> socket.send(frame, flags));
        }
    }

    private interface Work<T, E extends Exception> {

        T done() throws E;
    }

    /** Does what may not be left half done: half a message spoils those that follow. Without memory it tries again. */
    private static <T, E extends Exception> T insist(Work<T, E> work) throws E {
        for (int tries = 0;; tries++) {
            try {
                return work.done();
            } catch (OutOfMemoryError e) {
                if (tries == TRIES) {
                    throw e;
                }
                SpareMemory.await();
            }
        }
    }

    /** Sends what is queued, then closes the sockets. */
    @Override
    public void close() {
        submit(() -> closing = true);
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        context.close();
        heartbeat.close();
    }
}
