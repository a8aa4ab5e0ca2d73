package io.vramlab.kernel.internal.cell;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A daemon thread of the kernel's own, which no cell can interrupt: an interrupt would close the channel that it reads,
 * and the kernel would be deaf from then on. Nor does it end for want of memory: it begins its work again.
 */
public final class KernelThread extends Thread {

    private static final Logger LOG = Logger.getLogger(KernelThread.class.getName());

    /** A thread, not yet started, that will run {@code work}. */
    public KernelThread(String name, Runnable work) {
        super(() -> toTheEnd(work), name);
        setDaemon(true);
    }

    private static void toTheEnd(Runnable work) {
        while (true) {
            try {
                work.run();
                return;
            } catch (Error e) {
                // without memory, classes cannot be linked either
                pause();
                log(e);
            }
        }
    }

    private static void log(Error failure) {
        try {
            LOG.log(Level.WARNING, "a thread of the kernel began its work again", failure);
        } catch (Error e) {
            // no memory to say so
            return;
        }
    }

    private static void pause() {
        try {
            SpareMemory.await();
        } catch (Error e) {
            // then it tries again at once
            return;
        }
    }

    /** Does nothing. Whoever wants such a thread to end closes what it waits for. */
    @Override
    public void interrupt() {
        // only code of a cell that interrupts whatever threads it finds comes here
    }
}
