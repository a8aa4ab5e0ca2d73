package io.vramlab.install;

import java.io.PrintWriter;
import java.util.Locale;

import io.vramlab.kernel.spi.text.Visible;
import io.vramlab.memory.internal.whatif.ReplayProgress;

/** Progress on one line of a terminal that updates; silent where there is no terminal, such as in a pipe. */
final class ProgressLine implements ReplayProgress, AutoCloseable {

    private static final long INTERVAL_NANOS = 200_000_000L;
    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean shown;
    private long last = System.nanoTime();
    private String running = "";
    private long begin = last;

    private ProgressLine(PrintWriter out, boolean shown) {
        this.out = out;
        this.shown = shown;
    }

    /** On this process's standard error. */
    static ProgressLine on(PrintWriter err) {
        boolean terminal = System.console() != null && System.console().isTerminal();
        return new ProgressLine(terminal ? TerminalText.raw(err) : err, terminal);
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
        if (shown) {
            out.print(CLEAR);
            out.flush();
        }
    }
}
