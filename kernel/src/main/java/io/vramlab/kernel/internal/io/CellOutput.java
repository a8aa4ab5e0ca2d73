package io.vramlab.kernel.internal.io;

import com.google.gson.JsonObject;
import io.vramlab.kernel.internal.cell.CellRun;
import io.vramlab.kernel.internal.cell.KernelThread;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.function.BiConsumer;

/** Gathers what cells print and publishes it. Safe from any thread. */
public final class CellOutput implements AutoCloseable {

    /** The longest that printed text waits. */
    public static final int INTERVAL_MILLIS = 40;

    private static final long INTERVAL_NANOS = INTERVAL_MILLIS * 1_000_000L;
    private static final int FLUSH_CHARS = 1 << 16;

    private final BiConsumer<CellRun, JsonObject> publisher;
    private final OutputLimit limit;
    private final PrintStream terminal;
    private final Object lock = new Object();
    private final StringBuilder pending = new StringBuilder();
    private CellRun pendingRun;
    private String pendingName;
    private long lastFlush;
    private boolean closed;

    /**
     * An output.
     *
     * @param publisher
     *            sends the content of a {@code stream} message for a run
     * @param limit
     *            how much a cell may print
     * @param terminal
     *            takes what is printed before the first cell
     */
    public CellOutput(BiConsumer<CellRun, JsonObject> publisher, OutputLimit limit, PrintStream terminal) {
        this.publisher = publisher;
        this.limit = limit;
        this.terminal = terminal;
        new KernelThread("output", this::flushRegularly).start();
    }

    /**
     * A stream whose text appears under the cell of the printing thread.
     *
     * @param name
     *            {@code stdout} or {@code stderr}
     */
    public PrintStream stream(String name) {
        return new ArrayPrinter(new Sink(name));
    }

    private void add(CellRun run, String name, String text) {
        if (run == null) {
            terminal.print(text);
            return;
        }
        if (run.silent() || run.abandoned()) {
            return;
        }
        String allowed = limit.admit(run, text);
        if (allowed.isEmpty()) {
            return;
        }
        synchronized (lock) {
            if (pending.length() > 0 && (pendingRun != run || !pendingName.equals(name))) {
                flush();
            }
            boolean first = pending.length() == 0;
            pendingRun = run;
            pendingName = name;
            pending.append(allowed);
            if (pending.length() > FLUSH_CHARS) {
                flush();
            } else if (first) {
                lock.notifyAll();
            }
        }
    }

    /** Publishes what has gathered. */
    public void flush() {
        synchronized (lock) {
            if (pending.length() == 0) {
                return;
            }
            JsonObject content = new JsonObject();
            content.addProperty("name", pendingName);
            content.addProperty("text", pending.toString());
            CellRun run = pendingRun;
            pending.setLength(0);
            pendingRun = null;
            lastFlush = System.nanoTime();
            publisher.accept(run, content);
        }
    }

    /** Publishes what has gathered; nothing is published regularly from then on. */
    @Override
    public void close() {
        synchronized (lock) {
            flush();
            closed = true;
            lock.notifyAll();
        }
    }

    private void flushRegularly() {
        try {
            while (true) {
                synchronized (lock) {
                    if (closed) {
                        return;
                    }
                    while (pending.length() == 0 && !closed) {
                        lock.wait();
                    }
                    long since = (System.nanoTime() - lastFlush) / 1_000_000;
                    // text after a pause goes at once but for a moment in which the rest of the line may come
                    long wait = since >= INTERVAL_MILLIS ? 2 : INTERVAL_MILLIS - since;
                    lock.wait(wait);
                    flush();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Sink extends OutputStream {

        private final String name;
        private final Utf8Tail decoder = new Utf8Tail();

        Sink(String name) {
            this.name = name;
        }

        @Override
        public void write(int b) {
            write(new byte[]{(byte) b}, 0, 1);
        }

        /** A cell that flushes wants its text seen: at once, unless it did so a moment ago. */
        @Override
        public void flush() {
            synchronized (lock) {
                if (System.nanoTime() - lastFlush > INTERVAL_NANOS) {
                    CellOutput.this.flush();
                }
            }
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            String text = decoder.decode(bytes, offset, length);
            if (!text.isEmpty()) {
                add(CellRun.current(), name, text);
            }
        }
    }
}
