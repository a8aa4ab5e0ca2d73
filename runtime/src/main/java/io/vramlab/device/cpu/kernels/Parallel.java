package io.vramlab.device.cpu.kernels;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;

/**
 * Splits a range of independent outputs over the cores. Only who computes an output depends on the split, never how,
 * so results do not depend on the number of cores.
 */
final class Parallel {

    /** How many threads share the work; tests change it to show that it does not matter. */
    static volatile int cores = Runtime.getRuntime().availableProcessors();

    /** Not the common pool: its threads forget their thread-local buffers after every task. Its threads are daemons. */
    private static final ForkJoinPool POOL = new ForkJoinPool(Math.max(1, cores - 1));

    private Parallel() {
    }

    /** Work on the outputs {@code from} to {@code to - 1}. */
    interface Body {
        /** Does it. */
        void run(long from, long to);
    }

    /**
     * Runs the body over 0 … count - 1, on the calling thread alone when there are fewer than two grains.
     *
     * @param grain
     *            the fewest outputs that are worth another thread; pieces start at multiples of it
     */
    static void range(long count, long grain, Body body) {
        long pieces = Math.min(cores, count / grain);
        if (pieces < 2) {
            if (count > 0) {
                body.run(0, count);
            }
            return;
        }
        long grains = (count + grain - 1) / grain;
        ForkJoinTask<?>[] others = new ForkJoinTask<?>[(int) pieces - 1];
        for (int p = 1; p < pieces; p++) {
            long from = grains * p / pieces * grain;
            long to = Math.min(count, grains * (p + 1) / pieces * grain);
            Piece piece = new Piece(body, from, to);
            others[p - 1] = ForkJoinTask.getPool() == POOL ? piece.fork() : POOL.submit(piece);
        }
        RuntimeException failure = null;
        try {
            body.run(0, grains / pieces * grain);
        } catch (RuntimeException e) {
            failure = e;
        }
        // the others use the caller's operands: wait for all of them even when one failed
        for (ForkJoinTask<?> other : others) {
            try {
                other.join();
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static final class Piece extends RecursiveAction {

        private static final long serialVersionUID = 1L;
        private final transient Body body;
        private final long from;
        private final long to;

        Piece(Body body, long from, long to) {
            this.body = body;
            this.from = from;
            this.to = to;
        }

        @Override
        protected void compute() {
            body.run(from, to);
        }
    }
}
