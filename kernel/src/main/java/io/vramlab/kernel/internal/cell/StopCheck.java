package io.vramlab.kernel.internal.cell;

/**
 * Called from the code of cells: {@link #check} at the start of every method and before every jump backwards,
 * {@link #checkAbandoned} when a call has returned or thrown. The second ends only cells that were left behind: others may
 * tidy up in their {@code finally}.
 */
public final class StopCheck {

    private static volatile boolean stopping;
    /** Not volatile: what it is to end has been waiting in a call, and whoever comes back from there reads it anew. */
    private static boolean abandoning;

    private StopCheck() {
    }

    /**
     * Ends the calling thread's code if its cell was interrupted. One volatile read otherwise.
     *
     * @throws StoppedError
     *             if so
     */
    public static void check() {
        if (stopping) {
            CellRun run = CellRun.current();
            if (run != null && run.stopped()) {
                throw new StoppedError();
            }
        }
    }

    /**
     * Ends the calling thread's code if its cell was left behind. One read otherwise.
     *
     * @throws StoppedError
     *             if so
     */
    public static void checkAbandoned() {
        if (abandoning) {
            CellRun run = CellRun.current();
            if (run != null && run.abandoned()) {
                throw new StoppedError();
            }
        }
    }

    /** From now on {@link #checkAbandoned} looks at the flag of its cell. */
    static void armAbandoned() {
        abandoning = true;
    }

    /** From now on checks look at the flag of their cell. It stays so: an interrupted cell's threads may still run. */
    static void arm() {
        stopping = true;
    }
}
