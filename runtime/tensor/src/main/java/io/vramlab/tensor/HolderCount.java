package io.vramlab.tensor;

import java.util.concurrent.atomic.AtomicInteger;

/** How many counted places hold an object, and whether places that nobody counts may hold it too. */
public final class HolderCount extends AtomicInteger {

    private static final long serialVersionUID = 1L;

    private volatile boolean escaped;

    /** Held by nobody. */
    public HolderCount() {
        super(0);
    }

    /** {@return whether it is left to the collector, because code that does not count may hold it} */
    public boolean escaped() {
        return escaped;
    }

    void escape() {
        escaped = true;
    }

    /** One holder less; true when it was the last one and no other can be. */
    boolean drop() {
        return decrementAndGet() == 0 && !escaped;
    }
}
