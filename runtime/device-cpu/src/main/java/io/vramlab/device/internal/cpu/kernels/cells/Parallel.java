package io.vramlab.device.internal.cpu.kernels.cells;

import io.vramlab.device.InterruptedWorkException;
import io.vramlab.device.Interruptible;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;

/**
 * Splits a range of independent outputs over the cores. Only who computes an output depends on the split, never how,
 * so results do not depend on the number of cores.
 *
 * <p>
 * Between outputs, every few milliseconds, all threads look whether the calling one was interrupted, and end the work with
 * an {@link InterruptedWorkException} if so. Work that has few and long outputs looks itself, as {@link View} does.
 */
public final class Parallel {

    /** How many threads share the work; tests change it to show that it does not matter. */
    static volatile int cores = Runtime.getRuntime().availableProcessors();

    /** Not the common pool: its threads forget their thread-local buffers after every task. Its threads are daemons. */
    private static final ForkJoinPool POOL = new ForkJoinPool(Math.max(1, cores - 1));

    /** Outputs are given out in portions of about so long, between which an interrupt is noticed. */
    private static final long PORTION_NANOS = 2_000_000;

    private Parallel() {
    }

    /** Work on the outputs {@code from} to {@code to - 1}. */
    public interface Body {
        /** Does it. */
        void run(long from, long to);
    }

    /**
     * Runs the body over 0 … count - 1, on the calling thread alone when there are fewer than two grains.
     *
     * @param grain
     *            the fewest outputs that are worth another thread; pieces start at multiples of it
     */
    public static void range(long count, long grain, Body body) {
        long pieces = Math.min(cores, count / grain);
        if (pieces < 2) {
            portions(0, count, grain, body);
            return;
        }
        long grains = (count + grain - 1) / grain;
        Interruptible.Owner owner = new Interruptible.Owner();
        ForkJoinTask<?>[] others = new ForkJoinTask<?>[(int) pieces - 1];
        for (int p = 1; p < pieces; p++) {
            long from = grains * p / pieces * grain;
            long to = Math.min(count, grains * (p + 1) / pieces * grain);
            Piece piece = new Piece(body, from, to, grain, owner);
            others[p - 1] = ForkJoinTask.getPool() == POOL ? piece.fork() : POOL.submit(piece);
        }
        RuntimeException failure = null;
        try {
            Interruptible.on(owner, () -> portions(0, grains / pieces * grain, grain, body));
        } catch (RuntimeException e) {
            failure = e;
            if (e instanceof InterruptedWorkException) {
                owner.stop();
            }
        }
        // the others use the caller's operands: wait for all of them even when one failed
        for (ForkJoinTask<?> other : others) {
            RuntimeException theirs = await(other, owner);
            failure = failure == null || failure instanceof InterruptedWorkException && theirs != null
                    ? theirs
                    : failure;
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** As many grains at a time as take some milliseconds. */
    private static void portions(long from, long to, long grain, Body body) {
        long portion = grain;
        for (long at = from; at < to;) {
            if (at > from) {
                Interruptible.check();
            }
            long end = Math.min(to, at + portion);
            long start = System.nanoTime();
            body.run(at, end);
            if (System.nanoTime() - start < PORTION_NANOS && portion < Long.MAX_VALUE / 4) {
                portion *= 2;
            }
            at = end;
        }
    }

    /** Waits until the piece has ended; an interrupt meanwhile stops all pieces and is remembered. */
    private static RuntimeException await(ForkJoinTask<?> piece, Interruptible.Owner owner) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    piece.get();
                    return null;
                } catch (InterruptedException e) {
                    interrupted = true;
                    owner.stop();
                }
            }
        } catch (ExecutionException e) {
            return failure(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What the piece threw; a ForkJoinTask may give a copy of it, whose cause is the original. */
    private static RuntimeException failure(ExecutionException e) {
        return switch (e.getCause()) {
            // the frames that matter are those of the thread that waits
            case InterruptedWorkException r -> new InterruptedWorkException();
            case RuntimeException r when r.getCause() != null && r.getCause().getClass() == r.getClass() ->
                (RuntimeException) r.getCause();
            case RuntimeException r -> r;
            case Error r -> throw r;
            default -> new IllegalStateException(e.getCause());
        };
    }

    private static final class Piece extends RecursiveAction {

        private static final long serialVersionUID = 1L;
        private final transient Body body;
        private final long from;
        private final long to;
        private final long grain;
        private final transient Interruptible.Owner owner;

        Piece(Body body, long from, long to, long grain, Interruptible.Owner owner) {
            this.body = body;
            this.from = from;
            this.to = to;
            this.grain = grain;
            this.owner = owner;
        }

        @Override
        protected void compute() {
            Interruptible.on(owner, () -> portions(from, to, grain, body));
        }
    }
}
