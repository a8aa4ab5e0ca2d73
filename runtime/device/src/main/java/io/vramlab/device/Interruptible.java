package io.vramlab.device;

import java.lang.foreign.MemorySegment;

/**
 * Long work on the host's processor, stopped between its pieces when the thread that asked for it is interrupted. Threads
 * that share such work say whose it is with {@link #on}; an interrupt of their own means nothing to it.
 */
public final class Interruptible {

    /** Bytes that are moved between two looks: some milliseconds, pages that are touched first included. */
    private static final long STEP = 16L << 20;

    /** Turns of a loop between two looks, less one. */
    private static final long MANY = (1 << 16) - 1;

    private static final ThreadLocal<Owner> SHARED = new ThreadLocal<>();

    /** Who asked for work that several threads share. */
    public static final class Owner {

        private final Thread thread = Thread.currentThread();
        private final Owner outer = SHARED.get();
        private volatile boolean stopped;

        /** The calling thread, or whom it works for. */
        public Owner() {
        }

        /**
         * Stops the work and all that it is a part of, also where the thread's interrupt status was cleared since: who
         * waits for a part of it clears that.
         */
        public void stop() {
            for (Owner each = this; each != null; each = each.outer) {
                each.stopped = true;
            }
        }

        private boolean isStopped() {
            return stopped || (outer == null ? thread.isInterrupted() : outer.isStopped());
        }
    }

    private Interruptible() {
    }

    /**
     * A look between two pieces of work; a few nanoseconds.
     *
     * @throws InterruptedWorkException
     *             if the thread that asked for the work is interrupted
     */
    public static void check() {
        Owner owner = SHARED.get();
        if (owner == null ? Thread.currentThread().isInterrupted() : owner.isStopped()) {
            throw new InterruptedWorkException();
        }
    }

    /**
     * A look every so many turns of a loop, for loops whose turns take some nanoseconds each.
     *
     * @param turn
     *            the loop's counter; a look is taken when its lowest 16 bits are all set
     * @throws InterruptedWorkException
     *             if the thread that asked for the work is interrupted
     */
    public static void check(long turn) {
        if ((turn & MANY) == MANY) {
            check();
        }
    }

    /**
     * Does a part of an owner's work on the calling thread.
     *
     * @param owner
     *            whose interrupt stops the part
     * @param part
     *            the work; {@link #check} within it looks at the owner
     */
    public static void on(Owner owner, Runnable part) {
        Owner before = SHARED.get();
        SHARED.set(owner);
        try {
            part.run();
        } finally {
            if (before == null) {
                SHARED.remove();
            } else {
                SHARED.set(before);
            }
        }
    }

    /**
     * {@code to.copyFrom(from)}, step by step.
     *
     * @param to
     *            where to, at least as long as {@code from}
     * @param from
     *            what is copied, as a whole; if the two overlap, in one step
     * @throws InterruptedWorkException
     *             if the thread that asked for the work is interrupted
     */
    public static void copy(MemorySegment to, MemorySegment from) {
        long bytes = from.byteSize();
        if (bytes <= STEP || overlap(to, from)) {
            to.copyFrom(from);
            return;
        }
        for (long at = 0; at < bytes; at += STEP) {
            check();
            MemorySegment.copy(from, at, to, at, Math.min(STEP, bytes - at));
        }
    }

    private static boolean overlap(MemorySegment to, MemorySegment from) {
        return to.asOverlappingSlice(from).isPresent();
    }

    /**
     * {@code to.fill(value)}, step by step.
     *
     * @param to
     *            what is filled, as a whole
     * @param value
     *            what every byte becomes
     * @throws InterruptedWorkException
     *             if the thread that asked for the work is interrupted
     */
    public static void fill(MemorySegment to, byte value) {
        for (long at = 0; at < to.byteSize(); at += STEP) {
            if (at > 0) {
                check();
            }
            to.asSlice(at, Math.min(STEP, to.byteSize() - at)).fill(value);
        }
    }
}
