package io.vramlab.kernel.cell;

/**
 * A daemon thread of the kernel's own, which no cell can interrupt: an interrupt would close the channel that it reads,
 * and the kernel would be deaf from then on.
 */
public final class KernelThread extends Thread {

    /** A thread, not yet started, that will run {@code work}. */
    public KernelThread(String name, Runnable work) {
        super(work, name);
        setDaemon(true);
    }

    /** Does nothing. Whoever wants such a thread to end closes what it waits for. */
    @Override
    public void interrupt() {
        // only code of a cell that interrupts whatever threads it finds comes here
    }
}
