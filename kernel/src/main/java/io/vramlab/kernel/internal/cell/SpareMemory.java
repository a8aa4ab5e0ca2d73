package io.vramlab.kernel.internal.cell;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Memory of the Java heap that the kernel sets aside while there is some, to have it when a cell has taken all the rest.
 * Whoever of the kernel meets an {@link OutOfMemoryError} lets go of a first part of it, which allocates nothing, and then
 * does its work again; the shell's thread makes room and sets it aside again. The cell may still run then, and take that
 * part too: so the last part is let go of by the shell's thread alone, which has seen the cell end.
 *
 * <p>
 * It grows with the heap. When that is full of objects in use, the serial collector can give what becomes free last of all
 * from the survivor space, where nothing new is allocated: that is a thirtieth of the heap, and the last part must be more.
 */
public final class SpareMemory {

    private static final long LEAST_BYTES = 1 << 20;
    private static final int FIRST_SHARE = 48;
    private static final int LAST_SHARE = 28;
    private static final int CHUNK_BYTES = 128 << 10;
    private static final long PAUSE_NANOS = 20_000_000;
    private static final byte[][] NOTHING = {};
    private static final AtomicBoolean WATCHED = new AtomicBoolean();

    private static volatile byte[][] first = NOTHING;
    private static volatile byte[][] last = NOTHING;
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
            while (true) {
                try {
                    adjustAfterCollections();
                } catch (OutOfMemoryError e) {
                    // awoken by the very collection that found no room: what is set aside is not for this thread
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }).start();
    }

    private static void adjustAfterCollections() {
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
    }

    /** Sets it aside again. */
    public static void keep() {
        released = false;
        adjust();
    }

    /** Gives it back until {@link #wake}: while no cell runs, none takes all the rest. */
    public static synchronized void rest() {
        resting = true;
        first = NOTHING;
        last = NOTHING;
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
        return (long) (first.length + last.length) * CHUNK_BYTES;
    }

    private static synchronized void adjust() {
        if (resting) {
            return;
        }
        long heap = Runtime.getRuntime().totalMemory();
        byte[][] nextLast = adjusted(last, LEAST_BYTES + heap / LAST_SHARE);
        byte[][] nextFirst = adjusted(first, LEAST_BYTES + heap / FIRST_SHARE);
        if (!released) {
            last = nextLast;
            first = nextFirst;
        }
    }

    private static byte[][] adjusted(byte[][] now, long bytes) {
        int chunks = (int) (bytes / CHUNK_BYTES);
        if (chunks <= now.length && chunks >= now.length / 2) {
            return now;
        }
        try {
            byte[][] next = Arrays.copyOf(now, chunks);
            for (int i = now.length; i < chunks; i++) {
                next[i] = new byte[CHUNK_BYTES];
            }
            return next;
        } catch (OutOfMemoryError e) {
            // it stays as small as it was
            return now;
        }
    }

    /** Lets go of the first part. Allocates nothing. */
    public static void release() {
        released = true;
        first = NOTHING;
    }

    /** Lets go of all of it: for the thread that makes room, when the cell's own has ended. Allocates nothing. */
    public static void releaseLast() {
        release();
        last = NOTHING;
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

    /** Lets go of the first part and waits a moment in which others may give memory back. Allocates nothing. */
    public static void await() {
        release();
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /** Loads and links what a line of the log needs: a class that cannot be when there is no memory never can be. */
    public static void rehearse() {
        for (Handler each : Logger.getLogger("").getHandlers()) {
            each.getFormatter().format(new LogRecord(Level.WARNING, "rehearsed"));
        }
        LockSupport.parkNanos(1);
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
