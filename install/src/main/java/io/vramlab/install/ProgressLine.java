package io.vramlab.install;

import java.io.PrintWriter;
import java.util.Locale;

import io.vramlab.kernel.spi.text.Visible;
import io.vramlab.memory.internal.whatif.ReplayProgress;

/** Progress on one line of a terminal that updates; silent where there is no terminal, such as in a pipe. */
final class ProgressLine implements ReplayProgress, AutoCloseable {

    private static final long INTERVAL_NANOS = 200_000_000L;
    /** What tells nothing meanwhile, as the reading of a file, is told to go on. */
    private static final long SILENT_MILLIS = 1000;
    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean shown;
    private long last = System.nanoTime();
    private String running = "";
    private long begin = last;
    private boolean closed;

    private ProgressLine(PrintWriter out, boolean shown) {
        this.out = out;
        this.shown = shown;
    }

    /** On this process's standard error. */
    static ProgressLine on(PrintWriter err) {
        boolean terminal = System.console() != null && System.console().isTerminal();
        return on(terminal ? TerminalText.raw(err) : err, terminal);
    }

    /** On a terminal, or nowhere. */
    static ProgressLine on(PrintWriter out, boolean terminal) {
        ProgressLine line = new ProgressLine(out, terminal);
        if (terminal) {
            Thread.ofVirtual().start(line::tick);
        }
        return line;
    }

    private void tick() {
        try {
            while (goesOn()) {
                Thread.sleep(SILENT_MILLIS);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean goesOn() {
        long now = System.nanoTime();
        if (!closed && !running.isEmpty() && now - last > SILENT_MILLIS * 1_000_000) {
            out.printf(Locale.ROOT, "%s%s: %,d s so far", CLEAR, Visible.line(running), (now - begin) / 1_000_000_000);
            out.flush();
        }
        return !closed;
    }

    @Override
    public synchronized void at(String what, long done, long total) {
        long now = System.nanoTime();
        if (!what.equals(running)) {
            running = what;
            begin = now;
        }
        if (shown && now - last > INTERVAL_NANOS) {
            last = now;
            out.printf("%s%s: %,d of %,d%s", CLEAR, Visible.line(what), done, total, left(now, done, total));
            out.flush();
        }
    }

    /** Told when there is something to reckon from. */
    private String left(long now, long done, long total) {
        long seconds = done <= 0 || done >= total ? 0 : Math.round((now - begin) / 1e9 * (total - done) / done);
        return seconds < 1 ? "" : String.format(Locale.ROOT, ", %,d s left", seconds);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (shown) {
            out.print(CLEAR);
            out.flush();
        }
    }
}
