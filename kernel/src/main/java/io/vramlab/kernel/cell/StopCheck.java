package io.vramlab.kernel.cell;

/** Called from the code of cells at the start of every method and before every jump backwards. */
public final class StopCheck {

    private static volatile boolean stopping;

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

    /** From now on checks look at the flag of their cell. It stays so: an interrupted cell's threads may still run. */
    static void arm() {
        stopping = true;
    }
}
