package io.vramlab.kernel.internal.cell;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.concurrent.ForkJoinWorkerThread;

/** One execution of a cell, from request to idle, and what its threads share afterwards. */
public final class CellRun {

    private static final InheritableThreadLocal<CellRun> OF_THREAD = new InheritableThreadLocal<>();
    private static volatile CellRun latest;

    private final int number;
    private final JsonObject parent;
    private final List<byte[]> identities;
    private final boolean silent;
    private final boolean stdinAllowed;
    private final ThreadGroup threads;
    private volatile boolean stopped;
    private volatile boolean abandoned;

    /**
     * A run that is about to begin.
     *
     * @param number
     *            the n of In [n]
     * @param parent
     *            the header of the request
     * @param identities
     *            the routing frames of who asked
     * @param silent
     *            true when nothing shall be published
     * @param stdinAllowed
     *            whether the frontend answers questions
     */
    public CellRun(int number, JsonObject parent, List<byte[]> identities, boolean silent, boolean stdinAllowed) {
        this.number = number;
        this.parent = parent;
        this.identities = identities;
        this.silent = silent;
        this.stdinAllowed = stdinAllowed;
        this.threads = new CellThreads(this);
    }

    /** The run that the calling thread belongs to; the latest one for threads that no cell started. Null before any. */
    public static CellRun current() {
        CellRun own = OF_THREAD.get();
        // the common pool's workers outlive the cell that happened to start them
        return own == null || Thread.currentThread() instanceof ForkJoinWorkerThread ? latest : own;
    }

    /** Makes this the run of the calling thread and of the threads it starts. */
    public void enter() {
        OF_THREAD.set(this);
    }

    /** Makes this the run that threads without one belong to. */
    public void begin() {
        latest = this;
    }

    /** Takes the calling thread out of any run. */
    public static void leave() {
        OF_THREAD.remove();
    }

    /** The n of In [n]. */
    public int number() {
        return number;
    }

    /** The header of the request. */
    public JsonObject parent() {
        return parent;
    }

    /** The routing frames of who asked. */
    public List<byte[]> identities() {
        return identities;
    }

    /** Whether nothing shall be published. */
    public boolean silent() {
        return silent;
    }

    /** Whether the frontend answers questions. */
    public boolean stdinAllowed() {
        return stdinAllowed;
    }

    /** The group of the threads that the cell started. */
    public ThreadGroup threads() {
        return threads;
    }

    /** Whether it was told to stop. */
    public boolean stopped() {
        return stopped;
    }

    /** Whether it did not stop and was left behind: nothing that it still does counts. */
    public boolean abandoned() {
        return abandoned;
    }

    /** Leaves it behind. */
    void abandon() {
        abandoned = true;
        StopCheck.armAbandoned();
    }

    /** Remembers that it shall stop; the interrupt itself is {@link CellThread}'s. */
    void markStopped() {
        stopped = true;
    }

    /** Tells the threads that the cell started to end, at their next check; an interrupt wakes those that wait. */
    public void stopThreads() {
        StopCheck.arm();
        markStopped();
        threads.interrupt();
    }

    /** Tells the threads of all other cells to end; false if there are none. */
    public boolean stopOtherThreads() {
        boolean any = false;
        for (ThreadGroup group : groups()) {
            if (group instanceof CellThreads cell && cell.run != this && cell.activeCount() > 0) {
                cell.run.stopThreads();
                any = true;
            }
        }
        return any;
    }

    /** Whether a thread that a cell started still runs. */
    public static boolean threadsRun() {
        for (ThreadGroup group : groups()) {
            if (group instanceof CellThreads && group.activeCount() > 0) {
                return true;
            }
        }
        return false;
    }

    /** The groups below the calling thread's, and nulls behind them. */
    private static ThreadGroup[] groups() {
        ThreadGroup top = Thread.currentThread().getThreadGroup();
        ThreadGroup[] groups = new ThreadGroup[top.activeGroupCount() + 8];
        top.enumerate(groups);
        return groups;
    }

    private static final class CellThreads extends ThreadGroup {

        private final CellRun run;

        CellThreads(CellRun run) {
            super("In [" + run.number + "]");
            this.run = run;
        }

        @Override
        public void uncaughtException(Thread thread, Throwable e) {
            if (e instanceof OutOfMemoryError) {
                SpareMemory.release();
            }
            // a thread that ended because the user asked for it has nothing to report
            if (!(e instanceof StoppedError)) {
                super.uncaughtException(thread, e);
            }
        }
    }
}
