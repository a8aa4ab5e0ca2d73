package io.vramlab.kernel.internal.magic.builtin;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReference;

/** What {@code %timeit} compiles a cell's code against. */
public final class TimedCode {

    /** Runs the code so many times; the nanoseconds that took. */
    @FunctionalInterface
    public interface Loop {

        /** Runs it. */
        long nanos(long times) throws Throwable;
    }

    private static final AtomicReference<Loop> GIVEN = new AtomicReference<>();
    private static final VarHandle KEPT;
    private static final VarHandle KEPT_LONG;
    private static Object kept;
    private static long keptLong;

    static {
        try {
            KEPT = MethodHandles.lookup().findStaticVarHandle(TimedCode.class, "kept", Object.class);
            KEPT_LONG = MethodHandles.lookup().findStaticVarHandle(TimedCode.class, "keptLong", long.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private TimedCode() {
    }

    /** Hands a compiled loop over. */
    public static void give(Loop loop) {
        GIVEN.set(loop);
    }

    /** The loop that was handed over. */
    static Loop take() {
        return GIVEN.getAndSet(null);
    }

    /** Uses a value, so that the compiler cannot leave out what makes it. */
    public static void keep(Object value) {
        KEPT.setOpaque(value);
    }

    /** Lets go of the last value. */
    static void forget() {
        KEPT.setOpaque((Object) null);
    }

    /** The same without making an object of it. */
    public static void keep(long value) {
        KEPT_LONG.setOpaque(value);
    }

    /** The same. */
    public static void keep(double value) {
        KEPT_LONG.setOpaque(Double.doubleToRawLongBits(value));
    }

    /** The same. */
    public static void keep(boolean value) {
        KEPT_LONG.setOpaque(value ? 1L : 0L);
    }
}
