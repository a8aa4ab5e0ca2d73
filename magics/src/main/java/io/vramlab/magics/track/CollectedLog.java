package io.vramlab.magics.track;

import io.vramlab.kernel.spi.Session;
import io.vramlab.tensor.CollectedTensor;
import io.vramlab.tensor.LiveTensors;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The tensors that the collector had to free in a session; the newest are kept. */
public final class CollectedLog {

    /** Tensors; beyond them the oldest are forgotten. */
    static final int MOST = 1_000;

    /**
     * One of them.
     *
     * @param cell
     *            the cell that ran then, or had run last
     * @param tensor
     *            what is known of it
     */
    public record Entry(int cell, CollectedTensor tensor) {
    }

    private final Deque<Entry> entries = new ArrayDeque<>();
    private int cell;
    private long forgotten;

    private CollectedLog() {
    }

    /** That session's; it listens from the first call on. */
    public static CollectedLog of(Session session) {
        return session.part(CollectedLog.class, () -> {
            CollectedLog log = new CollectedLog();
            LiveTensors.watchCollected(log::add);
            return log;
        });
    }

    private synchronized void add(CollectedTensor tensor) {
        entries.addLast(new Entry(cell, tensor));
        if (entries.size() > MOST) {
            entries.removeFirst();
            forgotten++;
        }
    }

    /** A cell begins. */
    public synchronized void cellStarted(int number) {
        cell = number;
    }

    /** What is kept, oldest first. */
    public synchronized List<Entry> all() {
        return List.copyOf(entries);
    }

    /** How many are not kept any more. */
    public synchronized long forgotten() {
        return forgotten;
    }
}
