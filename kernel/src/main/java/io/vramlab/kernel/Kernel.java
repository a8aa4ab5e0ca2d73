package io.vramlab.kernel;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.github.spencerpark.jupyter.kernel.KernelConnectionProperties;
import io.vramlab.kernel.internal.cell.CellRun;
import io.vramlab.kernel.internal.cell.CellThread;
import io.vramlab.kernel.internal.cell.KernelThread;
import io.vramlab.kernel.internal.cell.SpareMemory;
import io.vramlab.kernel.internal.channel.Channel;
import io.vramlab.kernel.internal.channel.Channels;
import io.vramlab.kernel.internal.channel.Incoming;
import io.vramlab.kernel.internal.channel.Outgoing;
import io.vramlab.kernel.internal.comm.Comms;
import io.vramlab.kernel.internal.display.Renderers;
import io.vramlab.kernel.internal.eval.ExitRefusedError;
import io.vramlab.kernel.internal.eval.Interpreter;
import io.vramlab.kernel.internal.eval.ShownError;
import io.vramlab.kernel.internal.eval.accelerated.JShellInsides;
import io.vramlab.kernel.internal.heap.FullHeap;
import io.vramlab.kernel.internal.history.History;
import io.vramlab.kernel.internal.io.CellInput;
import io.vramlab.kernel.internal.io.CellOutput;
import io.vramlab.kernel.internal.io.OutputLimit;
import io.vramlab.kernel.internal.io.StandardStreams;
import io.vramlab.kernel.internal.magic.Magics;
import io.vramlab.kernel.spi.NotebookBridge;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A kernel on its sockets. One per process: it takes over the standard streams. */
public final class Kernel {

    private static final Logger LOG = Logger.getLogger(Kernel.class.getName());

    /** How long nothing must have come before the kernel does what can wait: frontends ask several things in a row. */
    private static final int QUIET_MILLIS = 20;
    private static final int TURNS_TO_TIDY = 15;
    private static final int TRIES = 100;

    private static final class Request {

        private final Incoming message;
        private volatile boolean aborted;

        Request(Incoming message) {
            this.message = message;
        }
    }

    private final BlockingQueue<Request> shell = new LinkedBlockingQueue<>();
    private final BlockingQueue<Request> control = new LinkedBlockingQueue<>();
    private final CompletableFuture<Interpreter> interpreter = new CompletableFuture<>();
    /** The same, when the listeners have heard that the session begins: no cell runs before. */
    private final CompletableFuture<Interpreter> begun = new CompletableFuture<>();
    private final CountDownLatch rehearsed = new CountDownLatch(1);
    private final Channels channels;
    private final Magics magics;
    private final CellOutput output;
    private final CellInput input;
    private final StandardStreams streams;
    private final Publisher publisher;
    private final CellRunner runner;
    private final Assistance assistance;
    private final Comms comms;
    private final History history;
    private final Listeners listeners;
    private final IntConsumer exit;
    private Thread cells;
    /** The request that was replied to last. */
    private volatile Incoming replied;
    private volatile CellThread running;
    private volatile int count;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean ending;
    private int quietTurns;

    /**
     * Binds the sockets.
     *
     * @param connection
     *            addresses and key
     * @param historyFile
     *            where cells are remembered, or null for nowhere
     * @param exit
     *            ends the process, with this status
     * @throws IOException
     *             if it cannot listen there
     */
    public Kernel(KernelConnectionProperties connection, Path historyFile, IntConsumer exit) throws IOException {
        this.exit = exit;
        channels = new Channels(connection, this::received);
        PrintStream terminal = System.err;
        output = new CellOutput(
                (run, content) -> channels.send(Outgoing.published("stream", run.parent(), content)),
                OutputLimit.fromEnvironment(), terminal);
        input = new CellInput(this::ask);
        streams = new StandardStreams(output, input);
        publisher = new Publisher(channels::send, output::flush);
        history = new History(historyFile);
        magics = new Magics();
        Renderers renderers = new Renderers();
        LiveSession session = new LiveSession(interpreter, magics, renderers, publisher, input, () -> count,
                () -> running, history);
        NotebookBridge.connect(session);
        listeners = new Listeners(session);
        runner = new CellRunner(begun, magics, session, renderers, publisher, listeners);
        assistance = new Assistance(begun, magics, session);
        session.inspector(assistance::page);
        comms = new Comms((type, content) -> {
            CellRun run = CellRun.current();
            publisher.publish(type, run == null ? new JsonObject() : run.parent(), content);
        });
    }

    /** Begins to answer. */
    public void start() {
        SpareMemory.watch();
        streams.install();
        channels.start();
        new KernelThread("control", () -> answer(control, () -> false)).start();
        cells = new KernelThread("shell", () -> answer(shell, this::prepare));
        // it keeps the process alive
        cells.setDaemon(false);
        cells.start();
        new KernelThread("jshell", this::makeInterpreter).start();
        new KernelThread("magics", magics::all).start();
        new KernelThread("rehearsal", this::rehearse).start();
        publisher.status(new JsonObject(), "starting");
    }

    /** What is done when there is no memory is done once before any cell can take it. */
    private void rehearse() {
        try {
            FullHeap.rehearse();
            channels.settle();
        } catch (InterruptedException | RuntimeException e) {
            LOG.log(Level.WARNING, "a full heap may end this kernel: {0}", e.toString());
        }
        rehearsed.countDown();
    }

    private void makeInterpreter() {
        try {
            Interpreter java = new Interpreter(Imports.all(), note -> System.err.print(note), this::exitAsked,
                    JShellInsides::open);
            java.warmUp();
            interpreter.complete(java);
            listeners.sessionStarted();
            rehearsed.await();
            begun.complete(interpreter.join());
        } catch (InterruptedException | RuntimeException | Error e) {
            LOG.log(Level.SEVERE, "no Java can run: {0}", e.toString());
            interpreter.completeExceptionally(e);
            begun.completeExceptionally(e);
        }
    }

    /**
     * Lets listeners do what no answer needs. After the start, makes JShell ready for its first declaration, and listeners
     * for what they do first: a first cell that declares nothing does without. Then gives back the memory that this took.
     */
    private boolean prepare() {
        if (begun.isDone()) {
            listeners.quiet();
        }
        if (quietTurns > 0) {
            while (shell.isEmpty() && begun.join().prepare()) {
                continue;
            }
        }
        if (quietTurns > TURNS_TO_TIDY || begun.isCompletedExceptionally()) {
            return false;
        }
        Interpreter java = begun.getNow(null);
        if (java == null) {
            return true;
        }
        while (quietTurns == 0 && shell.isEmpty()) {
            if (!java.prepare()) {
                listeners.sessionIdle();
                quietTurns = 1;
            }
        }
        // what listeners do beside takes a moment too
        if (quietTurns > 0 && ++quietTurns > TURNS_TO_TIDY) {
            System.gc();
        }
        return true;
    }

    /** Lets go of what is quickly made again, if anything is there yet. */
    private void rest() {
        if (begun.isDone() && !begun.isCompletedExceptionally()) {
            begun.join().rest();
        }
    }

    private void received(Incoming message) {
        switch (message.channel()) {
            case SHELL -> shell.add(new Request(message));
            case CONTROL -> control.add(new Request(message));
            case STDIN -> {
                if (message.type().equals("input_reply")) {
                    input.answered(message.content());
                }
            }
            case IOPUB -> LOG.fine("nothing comes in on iopub");
        }
    }

    private void ask(CellRun run, JsonObject content) {
        output.flush();
        channels.send(new Outgoing(Channel.STDIN, run.identities(), "input_request", run.parent(), content,
                new JsonObject(), List.of()));
    }

    /**
     * Answers one request after the other.
     *
     * @param idle
     *            called when it is quiet after a request: does what can wait until the next comes; false if nothing is left
     */
    private void answer(BlockingQueue<Request> queue, BooleanSupplier idle) {
        boolean more = false;
        while (!ending) {
            try {
                Request next = more
                        ? queue.poll(QUIET_MILLIS, TimeUnit.MILLISECONDS)
                        : queue == shell ? IdleHeap.next(queue, this::rest) : queue.take();
                more = next != null || idle.getAsBoolean();
                if (next != null) {
                    answer(next);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error e) {
                more = false;
                SpareMemory.log(LOG, Level.WARNING, "what was to be done meanwhile was not: {0}", e);
            }
        }
    }

    private void answer(Request request) {
        Incoming message = request.message;
        try {
            if (Thread.currentThread() == cells) {
                streams.install();
            }
            if (message.type().equals("execute_request")) {
                execute(request);
            } else {
                publisher.status(message.header(), "busy");
                // what a comm's listener prints or sends belongs to the message that it answers
                new CellRun(count, message.header(), message.identities(), false, false).enter();
                handle(message);
                publisher.status(message.header(), "idle");
            }
        } catch (ContentFields.BadRequestException e) {
            reply(message, Replies.error("BadRequest", e.getMessage()));
            publisher.status(message.header(), "idle");
        } catch (RuntimeException | Error e) {
            failed(request, e);
        }
        CellRun.leave();
        if (ending) {
            end();
        }
    }

    /** Answers a request that the kernel failed over; one that was not answered would be waited for. */
    private void failed(Request request, Throwable error) {
        Incoming message = request.message;
        SpareMemory.log(LOG, Level.WARNING, "a request failed: {0}", error);
        for (int i = 0; i < TRIES; i++) {
            try {
                if (SpareMemory.isReleased() && Thread.currentThread() == cells) {
                    runner.makeRoom(new CellRun(count, message.header(), message.identities(), true, false), "");
                }
                if (message.type().equals("execute_request")) {
                    abortQueued();
                }
                if (replied != message) {
                    reply(message, Replies.error(error.getClass().getName(), ShownError.messageOf(error)));
                }
                publisher.status(message.header(), "idle");
                return;
            } catch (Error e) {
                SpareMemory.await();
            }
        }
    }

    private void reply(Incoming request, JsonObject content) {
        output.flush();
        channels.send(Outgoing.reply(request, request.type().replaceFirst("_request$", "_reply"), content));
        replied = request;
    }

    private void handle(Incoming request) throws ContentFields.BadRequestException {
        ContentFields fields = new ContentFields(request.content());
        switch (request.type()) {
            case "kernel_info_request" -> reply(request, KernelInfo.content());
            case "interrupt_request" -> {
                interrupt();
                reply(request, Replies.ok());
            }
            case "shutdown_request" -> {
                JsonObject content = Replies.ok();
                content.add("restart", request.content().get("restart"));
                reply(request, content);
                ending = true;
            }
            case "complete_request" -> reply(request, assistance.complete(fields));
            case "inspect_request" -> reply(request, assistance.inspect(fields));
            case "is_complete_request" -> reply(request, assistance.isComplete(fields));
            case "history_request" -> reply(request, new HistoryAnswers(history).answer(fields));
            case "comm_info_request" -> {
                JsonObject content = Replies.ok();
                content.add("comms", comms.info(fields.text("target_name", null)));
                reply(request, content);
            }
            case "comm_open" -> comms.opened(request.content());
            case "comm_msg" -> comms.received(request.content());
            case "comm_close" -> comms.closed(request.content());
            default -> LOG.log(Level.FINE, "unknown message type {0}", request.type());
        }
    }

    private void interrupt() {
        CellThread cell = running;
        abortQueued();
        if (cell != null) {
            cell.stop();
        }
    }

    /** Marks the cells that wait now; those that come later run. */
    private void abortQueued() {
        try {
            channels.settle();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Request each : shell) {
            each.aborted = true;
        }
    }

    private void execute(Request request) throws ContentFields.BadRequestException {
        Incoming message = request.message;
        if (request.aborted) {
            publisher.status(message.header(), "busy");
            JsonObject content = new JsonObject();
            content.addProperty("status", "aborted");
            reply(message, content);
            publisher.status(message.header(), "idle");
            return;
        }
        try {
            execute(message, new ContentFields(message.content()));
        } catch (ContentFields.BadRequestException e) {
            publisher.status(message.header(), "busy");
            throw e;
        }
    }

    private void execute(Incoming message, ContentFields fields) throws ContentFields.BadRequestException {
        String code = fields.text("code");
        boolean silent = fields.flag("silent", false);
        boolean stored = fields.flag("store_history", true) && !silent && !code.isBlank();
        boolean stopOnError = fields.flag("stop_on_error", true);
        JsonObject expressions = fields.object("user_expressions");
        CellRun run = new CellRun(stored ? count + 1 : count, message.header(), message.identities(), silent,
                fields.flag("allow_stdin", true));
        try (CellThread thread = new CellThread(run)) {
            run.enter();
            run.begin();
            running = thread;
            publisher.status(message.header(), "busy");
            if (stored) {
                count = run.number();
            }
            if (!silent) {
                publisher.input(run, code);
            }
            JsonArray payload = new JsonArray();
            assistance.payload(code).ifPresent(payload::add);
            ShownError error = payload.isEmpty() ? runner.run(run, thread, code, stored) : null;
            JsonObject content = error == null ? Replies.ok() : Replies.error(error);
            content.addProperty("execution_count", run.number());
            if (error == null) {
                content.add("user_expressions", runner.expressions(run, thread, expressions));
                content.add("payload", payload);
            } else if (stopOnError || run.stopped()) {
                abortQueued();
            }
            running = null;
            if (stored) {
                history.add(run.number(), code, runner.shown());
            }
            reply(message, content);
            publisher.status(message.header(), "idle");
        } finally {
            running = null;
            CellRun.leave();
        }
    }

    private void exitAsked(int status) {
        CellRun run = CellRun.current();
        if (run != null && run.stdinAllowed()) {
            try {
                String answer = input.ask("System.exit(%d) would end this kernel and lose its variables. End it? [y/N] "
                        .formatted(status), false);
                if (answer.strip().toLowerCase(Locale.ROOT).startsWith("y")) {
                    ending = true;
                    exit.accept(status);
                }
            } catch (InterruptedIOException e) {
                LOG.log(Level.FINE, "not answered: {0}", e.getMessage());
            }
        }
        throw new ExitRefusedError(status);
    }

    /** {@return how many requests wait on the shell} */
    int waiting() {
        return shell.size();
    }

    /** Ends the kernel as a shutdown request does. */
    void end() {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        listeners.sessionEnded();
        history.close();
        output.close();
        channels.close();
        exit.accept(0);
    }
}
