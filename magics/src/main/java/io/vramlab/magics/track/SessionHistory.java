package io.vramlab.magics.track;

import io.vramlab.kernel.spi.Session;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.Cuda;
import io.vramlab.memory.HistoryOptions;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The allocators' own history in a session: from its first cell on a ring of the last {@value #ENTRIES} entries of each
 * GPU, with the call sites of allocations, which tensors know anyway; without bound when it is asked for. Each entry takes
 * 40 bytes: the ring 10 MB, once it is full.
 */
public final class SessionHistory {

    /** Entries of the ring; an allocation and its free are three. */
    public static final int ENTRIES = 1 << 18;
    /** In the kernel's environment, {@code off}: nothing is kept that was not asked for. */
    public static final String OPTION = "VRAMLAB_MEMORY_HISTORY";

    private static final HistoryOptions BOUNDED = new HistoryOptions("all", "alloc", "all", ENTRIES, false, Set.of());
    private final Set<Allocator> told = Collections.newSetFromMap(new WeakHashMap<>());
    private HistoryOptions wanted = HistoryOptions.OFF;

    private SessionHistory() {
    }

    /** That session's. */
    public static SessionHistory of(Session session) {
        return session.part(SessionHistory.class, SessionHistory::new);
    }

    /** Whether sessions keep a history from their first cell on. */
    public static boolean isDefault() {
        return !"off".equals(System.getenv(OPTION));
    }

    /** Whether a history is kept now. */
    public synchronized boolean isOn() {
        return wanted != null && wanted != HistoryOptions.OFF;
    }

    /** The session begins: GPUs are told when they are used, and none is opened for it. */
    public synchronized void bounded() {
        wanted = BOUNDED;
    }

    /** A cell begins: allocators that were there before the session are told. */
    public synchronized void cellStarted() {
        Tracking.gpusInUse().forEach(gpu -> made(Allocators.of(gpu)));
    }

    /** From now on, on every GPU and on those to come. */
    public synchronized void record(HistoryOptions options) {
        wanted = options;
        Cuda.recordMemoryHistory(options);
    }

    /** A GPU's allocator has been made. */
    public synchronized void made(Allocator allocator) {
        if (told.add(allocator) && wanted.enabled() != null) {
            allocator.recordHistory(wanted);
        }
    }
}
