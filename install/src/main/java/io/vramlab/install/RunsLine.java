package io.vramlab.install;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

import io.vramlab.kernel.spi.text.Visible;

/**
 * What runs now, how much is done and what went wrong, on one line of a terminal that updates; silent where there is no
 * terminal, such as in a build server's log.
 */
final class RunsLine implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final String CLEAR = "\r\u001b[K";
    // a line longer than the terminal is wide is cut instead of going on in the next, which CLEAR would not reach
    private static final String CUT = "\u001b[?7l";
    private static final String WRAP = "\u001b[?7h";

    private final PrintWriter out;
    private final int total;
    private final String trouble;
    private final long begin = System.nanoTime();
    private final Map<String, String> running = new LinkedHashMap<>();
    private final Thread clock;
    private int done;
    private int bad;

    /**
     * The line, drawn until it is closed if there is a terminal.
     *
     * @param total how many runs there will be
     * @param trouble what a run is called that did not end well, such as {@code differ}
     */
    RunsLine(PrintWriter out, int total, String trouble, boolean terminal) {
        this.out = out;
        this.total = total;
        this.trouble = trouble;
        this.clock = terminal ? Thread.ofVirtual().start(this::draw) : null;
    }

    /** On this process's standard error. */
    static RunsLine on(PrintWriter err, int total, String trouble) {
        boolean terminal = System.console() != null && System.console().isTerminal();
        return new RunsLine(terminal ? TerminalText.raw(err) : err, total, trouble, terminal);
    }

    /** A run has come to a cell. */
    synchronized void at(String name, int cell, int cells) {
        running.put(Visible.line(name), cell + "/" + cells);
    }

    /** A run has ended. */
    synchronized void ended(String name, boolean well) {
        running.remove(Visible.line(name));
        done++;
        bad += well ? 0 : 1;
    }

    /** Lets something print where the line stands; the line is drawn again below it. */
    synchronized void above(Runnable printing) {
        clear();
        printing.run();
    }

    /** The line: {@code 3 of 20 done, 1 differ; now tour 12/38, leak 2/5; 34 s}. */
    synchronized String text(long seconds) {
        StringJoiner now = new StringJoiner(", ", "; now ", "").setEmptyValue("");
        running.forEach((name, cell) -> now.add(name + " " + cell));
        return done + " of " + total + " done" + (bad == 0 ? "" : ", " + bad + " " + trouble) + now + "; " + seconds
                + " s";
    }

    private void draw() {
        try {
            while (true) {
                synchronized (this) {
                    out.print(CLEAR + CUT + text(Duration.ofNanos(System.nanoTime() - begin).toSeconds()) + WRAP);
                    out.flush();
                }
                Thread.sleep(INTERVAL);
            }
        } catch (InterruptedException closed) {
            clear();
        }
    }

    private void clear() {
        if (clock != null) {
            out.print(CLEAR);
            out.flush();
        }
    }

    @Override
    public void close() {
        if (clock != null) {
            clock.interrupt();
            try {
                clock.join();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
