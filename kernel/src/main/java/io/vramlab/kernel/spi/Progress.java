package io.vramlab.kernel.spi;

import java.util.Collection;
import java.util.Iterator;
import java.util.Locale;

/**
 * How far long work has come: one line that changes in place. In a notebook it is a display; elsewhere it is silent.
 *
 * <pre>
 * for (var batch : Progress.over(batches, "training")) { … }
 *
 * try (var progress = Progress.of("loading", 60_000)) {
 *     progress.step(100);
 * }
 * </pre>
 */
public final class Progress implements AutoCloseable {

    private static final long INTERVAL_NANOS = 100_000_000;
    private static final long SILENT_NANOS = 2_000_000_000;
    private static final int BAR = 30;

    private final String name;
    private final long total;
    private final long silentNanos;
    private final long begin = System.nanoTime();
    private Display display;
    private String note = "";
    private long done;
    private long shown;

    private Progress(String name, long total, long silentNanos) {
        this.name = name;
        this.total = total;
        this.silentNanos = silentNanos;
    }

    /**
     * Begins.
     *
     * @param name
     *            what is being done
     * @param total
     *            how many steps there will be, 0 if nobody knows
     */
    public static Progress of(String name, long total) {
        Progress progress = new Progress(name, total, 0);
        progress.show();
        return progress;
    }

    /** The same for work that is short as a rule: nothing is shown for the first two seconds, nor when it has ended. */
    public static Progress ifLong(String name, long total) {
        return new Progress(name, total, SILENT_NANOS);
    }

    /** The elements of a collection; each one taken is a step. */
    public static <T> Iterable<T> over(Collection<T> elements, String name) {
        return () -> new Iterator<>() {
            private final Iterator<T> inner = elements.iterator();
            private final Progress progress = of(name, elements.size());
            private boolean first = true;

            @Override
            public boolean hasNext() {
                if (!first) {
                    progress.step(1);
                    first = true;
                }
                if (!inner.hasNext()) {
                    progress.close();
                }
                return inner.hasNext();
            }

            @Override
            public T next() {
                first = false;
                return inner.next();
            }
        };
    }

    /** That many steps are done. */
    public synchronized void step(long steps) {
        done += steps;
        if (System.nanoTime() - shown > INTERVAL_NANOS) {
            show();
        }
    }

    /** So many steps are done in all; for work that counts by itself. */
    public synchronized void at(long steps) {
        step(steps - done);
    }

    /** A few words behind the numbers, such as the loss. */
    public synchronized void note(String text) {
        note = text;
    }

    /** Shows the last state; of {@link #ifLong}, which nobody asked for, nothing stays to be seen. */
    @Override
    public synchronized void close() {
        if (silentNanos == 0) {
            show();
        } else if (display != null) {
            display.update("");
        }
    }

    private synchronized void show() {
        if (System.nanoTime() - begin < silentNanos) {
            return;
        }
        shown = System.nanoTime();
        if (NotebookBridge.connected()) {
            if (display == null) {
                display = NotebookBridge.get().display(toString());
            } else {
                display.update(toString());
            }
        }
    }

    /** {@code 12 s}, {@code 3 min 05 s}, {@code 2 h 07 min}. */
    private static String left(long seconds) {
        if (seconds < 60) {
            return seconds + " s";
        }
        long minutes = seconds / 60;
        return minutes < 60
                ? String.format(Locale.ROOT, "%d min %02d s", minutes, seconds % 60)
                : String.format(Locale.ROOT, "%,d h %02d min", minutes / 60, minutes % 60);
    }

    /** The line: name, bar, steps, steps per second, time left, note. */
    @Override
    public synchronized String toString() {
        double seconds = Math.max(1e-9, (System.nanoTime() - begin) / 1e9);
        double rate = done / seconds;
        String end = note.isEmpty() ? "" : "  " + note;
        if (total <= 0) {
            return String.format(Locale.ROOT, "%s: %,d  %,.1f/s%s", name, done, rate, end);
        }
        int filled = (int) (BAR * Math.min(done, total) / total);
        String left = done == 0 || done >= total
                ? ""
                : ", " + left(Math.round((total - done) / rate)) + " left";
        return String.format(Locale.ROOT, "%s: |%s%s| %,d/%,d  %,.1f/s%s%s", name, "█".repeat(filled),
                " ".repeat(BAR - filled), done, total, rate, left, end);
    }
}
