package io.vramlab.kernel;

import io.vramlab.kernel.internal.cell.CellRun;
import io.vramlab.kernel.internal.cell.SpareMemory;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Gives back what cells left of the Java heap, when nobody asks for a while: many kernels of one machine wait most of the
 * time, each with the heap that its busiest moment had. A collection gives memory back to the system as far as the
 * options of {@code kernel.json} say ({@code MaxHeapFreeRatio}), and what is set aside for a cell that takes all the rest
 * goes with it while none runs. Cells that drop tensors have had one already, so it
 * changes no figure.
 */
final class IdleHeap {

    /** Longer than somebody takes who goes from cell to cell. */
    private static final long PATIENCE_MILLIS = Long.getLong("vramlab.idle.millis", 30_000);

    private IdleHeap() {
    }

    /**
     * The next of a queue, however long it takes.
     *
     * @param forget
     *            lets go of what is quickly made again
     */
    static <T> T next(BlockingQueue<T> queue, Runnable forget) throws InterruptedException {
        T next = queue.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        if (next != null) {
            return next;
        }
        if (!CellRun.threadsRun()) {
            SpareMemory.rest();
        }
        forget.run();
        System.gc();
        try {
            return queue.take();
        } finally {
            SpareMemory.wake();
        }
    }
}
