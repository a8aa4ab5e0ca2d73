package io.vramlab.kernel.internal.cell;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The thread on which a cell's own code runs, piece by piece, while the thread that compiles waits.
 *
 * <p>
 * When the code does not end within {@value #PATIENCE_MILLIS} ms of an interrupt, {@link #call} gives up waiting: the
 * thread stays behind, and ends as soon as it comes back to code of the cell: before that can set a variable or call
 * anything. What it prints or shows until then is dropped.
 */
public final class CellThread implements AutoCloseable {

    /** How long interrupted code may take to end. */
    public static final int PATIENCE_MILLIS = 2000;

    /** Interrupted code that did not end. */
    public static final class StuckException extends Exception {

        private static final long serialVersionUID = 1L;

        private final transient StackTraceElement[] where;

        StuckException(StackTraceElement[] where) {
            super("still running after an interrupt");
            this.where = where;
        }

        /** Where its thread stands. */
        public StackTraceElement[] where() {
            return where;
        }
    }

    private static final long STACK_BYTES = 16L << 20;
    private static final int INTERRUPT_AGAIN_MILLIS = 100;
    private static final Runnable END = () -> {
    };

    private final CellRun run;
    private final Thread thread;
    private final LinkedBlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
    private final Object running = new Object();
    private boolean userCode;

    /** A thread for {@code run}, started. */
    public CellThread(CellRun run) {
        this.run = run;
        this.thread = new Thread(run.threads(), this::loop, "In [" + run.number() + "]", STACK_BYTES, false);
        thread.setDaemon(true);
        thread.start();
    }

    private void loop() {
        run.enter();
        try {
            while (true) {
                try {
                    Runnable next = work.take();
                    if (next == END) {
                        return;
                    }
                    next.run();
                } catch (OutOfMemoryError e) {
                    SpareMemory.await();
                }
            }
        } catch (InterruptedException e) {
            // between two pieces nobody interrupts but the one who leaves this thread behind
            return;
        }
    }

    /** Whether the caller is this thread. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** The class loader that the cell's code sees as its own. */
    public void contextClassLoader(ClassLoader loader) {
        thread.setContextClassLoader(loader);
    }

    /**
     * Runs {@code code} here and waits for it.
     *
     * @throws StoppedError
     *             if the run was interrupted before, or ended by the interrupt
     * @throws StuckException
     *             if it was interrupted and does not end
     * @throws Exception
     *             what the code threw
     */
    public <T> T call(Callable<T> code) throws Exception {
        if (isCurrent()) {
            return during(true, code);
        }
        if (run.stopped()) {
            throw new StoppedError();
        }
        Piece<T> piece = new Piece<>(code);
        work.add(piece);
        return piece.await();
    }

    /**
     * Runs the compiler on behalf of code that runs here: until the compiled code begins (by {@link #call}), no interrupt
     * reaches this thread, because javac's open files would be closed by it.
     */
    public <T> T shielded(Callable<T> compilation) throws Exception {
        return isCurrent() ? during(false, compilation) : compilation.call();
    }

    private <T> T during(boolean interruptible, Callable<T> code) throws Exception {
        boolean before = interruptible(interruptible);
        try {
            StopCheck.check();
            T value = code.call();
            StopCheck.checkAbandoned();
            return value;
        } finally {
            interruptible(before);
        }
    }

    private boolean interruptible(boolean now) {
        synchronized (running) {
            boolean before = userCode;
            userCode = now;
            Thread.interrupted();
            return before;
        }
    }

    /** Tells the cell to stop: remembered when its code does not run yet, an interrupt to its threads when it does. */
    public void stop() {
        StopCheck.arm();
        run.markStopped();
        interruptAll();
    }

    private void interruptAll() {
        synchronized (running) {
            if (!userCode) {
                return;
            }
            Thread[] all = new Thread[run.threads().activeCount() + 16];
            int count = run.threads().enumerate(all);
            for (int i = 0; i < count; i++) {
                all[i].interrupt();
            }
        }
    }

    /** Lets the thread end, now or when it comes back from where it is stuck. */
    @Override
    public void close() {
        while (true) {
            try {
                work.add(END);
                return;
            } catch (OutOfMemoryError e) {
                SpareMemory.await();
            }
        }
    }

    private final class Piece<T> implements Runnable {

        private final Callable<T> code;
        private T value;
        private Throwable thrown;
        private boolean done;

        Piece(Callable<T> code) {
            this.code = code;
        }

        @Override
        public void run() {
            synchronized (running) {
                userCode = true;
            }
            T result = null;
            Throwable error = null;
            try {
                StopCheck.check();
                result = code.call();
            } catch (Throwable e) {
                if (e instanceof OutOfMemoryError) {
                    SpareMemory.release();
                }
                error = e;
            }
            if (error != null && run.stopped()) {
                error = stopped(error);
            }
            synchronized (running) {
                userCode = false;
                // an interrupt that came too late for this piece is not the next one's
                Thread.interrupted();
            }
            synchronized (this) {
                value = result;
                thrown = error;
                done = true;
                notifyAll();
            }
        }

        /** What an interrupt made the code throw, InterruptedException or another, as what it is. */
        private static Throwable stopped(Throwable thrown) {
            Throwable own = thrown instanceof InvocationTargetException wrapper ? wrapper.getCause() : thrown;
            try {
                return own instanceof StoppedError ? own : new StoppedError(own);
            } catch (OutOfMemoryError e) {
                SpareMemory.release();
                return e;
            }
        }

        synchronized T await() throws Exception {
            long stoppedAt = 0;
            while (!done) {
                if (!thread.isAlive()) {
                    throw new OutOfMemoryError("the cell's thread ended");
                }
                if (!run.stopped()) {
                    wait(INTERRUPT_AGAIN_MILLIS);
                } else if (stoppedAt == 0) {
                    stoppedAt = System.nanoTime();
                } else if (System.nanoTime() - stoppedAt > TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS)) {
                    run.abandon();
                    throw new StuckException(thread.getStackTrace());
                } else {
                    wait(INTERRUPT_AGAIN_MILLIS);
                    // code that swallowed the first interrupt may block again
                    interruptAll();
                }
            }
            if (thrown == null) {
                return value;
            }
            switch (thrown) {
                case Exception e -> throw e;
                case Error e -> throw e;
                default -> throw new IllegalStateException(thrown);
            }
        }
    }
}
