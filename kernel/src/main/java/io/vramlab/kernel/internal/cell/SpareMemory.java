package io.vramlab.kernel.internal.cell;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Memory of the Java heap that the kernel sets aside while there is some, to have it when a cell has taken all the rest.
 * Whoever of the kernel meets an {@link OutOfMemoryError} lets go of it first of all, which allocates nothing, and then
 * does its work again; the shell's thread makes room and sets it aside again.
 *
 * <p>
 * It grows with the heap. When that is full of objects in use, the serial collector can give what becomes free last of all
 * from the survivor space, where nothing new is allocated: that is a thirtieth of the heap, and what is set aside must be
 * more.
 */
public final class SpareMemory {

    private static final long LEAST_BYTES = 2 << 20;
    private static final int SHARE = 24;
    private static final int CHUNK_BYTES = 128 << 10;
    private static final long PAUSE_NANOS = 20_000_000;
    private static final byte[][] NOTHING = {};
    private static final AtomicBoolean WATCHED = new AtomicBoolean();

    private static volatile byte[][] kept = NOTHING;
    private static volatile boolean released;
    private static volatile boolean resting;
    /** Written, so that no compiler leaves out what is allocated only to see whether it can be. */
    private static volatile Object probe;

    private SpareMemory() {
    }

    /** Sets it aside, and from now on after each garbage collection as much as the heap's size asks for. */
    public static void watch() {
        keep();
        if (WATCHED.getAndSet(true)) {
            return;
        }
        new KernelThread("memory", () -> {
            ReferenceQueue<Object> collected = new ReferenceQueue<>();
            while (true) {
                Reference<Object> next = new WeakReference<>(new Object(), collected);
                try {
                    collected.remove();
                } catch (InterruptedException e) {
                    continue;
                } finally {
                    Reference.reachabilityFence(next);
                }
                if (!released) {
                    adjust();
                }
            }
        }).start();
    }

    /** Sets it aside again. */
    public static void keep() {
        released = false;
        adjust();
    }

    /** Gives it back until {@link #wake}: while no cell runs, none takes all the rest. */
    public static synchronized void rest() {
        resting = true;
        kept = NOTHING;
    }

    /** Sets it aside again after {@link #rest}. */
    public static void wake() {
        resting = false;
        if (!released) {
            adjust();
        }
    }

    /** {@return how much is set aside, in bytes} */
    static long bytes() {
        return (long) kept.length * CHUNK_BYTES;
    }

    private static synchronized void adjust() {
        if (resting) {
            return;
        }
        long bytes = LEAST_BYTES + Runtime.getRuntime().totalMemory() / SHARE;
        int chunks = (int) (bytes / CHUNK_BYTES);
        byte[][] now = kept;
        if (chunks > now.length || chunks < now.length / 2) {
            try {
                byte[][] next = Arrays.copyOf(now, chunks);
                for (int i = now.length; i < chunks; i++) {
                    next[i] = new byte[CHUNK_BYTES];
                }
                if (!released) {
                    kept = next;
                }
            } catch (OutOfMemoryError e) {
                // it stays as small as it was
                return;
            }
        }
    }

    /** Lets go of it. Allocates nothing. */
    public static void release() {
        released = true;
        kept = NOTHING;
    }

    /** Whether memory ran out since it was set aside. */
    public static boolean isReleased() {
        return released;
    }

    /** Whether so much memory could be had now, in small pieces; may take a garbage collection. */
    public static boolean hasRoom(long bytes) {
        try {
            byte[][] chunks = new byte[(int) (bytes / CHUNK_BYTES)][];
            probe = chunks;
            for (int i = 0; i < chunks.length; i++) {
                chunks[i] = new byte[CHUNK_BYTES];
            }
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        } finally {
            probe = null;
        }
    }

    /** Lets go of it and waits a moment in which others may give memory back. Allocates nothing. */
    public static void await() {
        release();
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /** Writes a line to the log; without memory, none. */
    public static void log(Logger logger, Level level, String message, Throwable thrown) {
        if (thrown instanceof OutOfMemoryError) {
            release();
        }
        try {
            logger.log(level, message, thrown.toString());
        } catch (OutOfMemoryError e) {
            release();
        }
    }
}
