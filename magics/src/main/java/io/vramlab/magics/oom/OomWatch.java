package io.vramlab.magics.oom;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.Session;
import io.vramlab.magics.track.CellLines;
import io.vramlab.magics.track.Tracking;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.CachingAllocator;
import io.vramlab.memory.MemoryListener;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.tensor.LiveTensors;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Keeps the last failed allocation of a session, with the state at that moment. Costs nothing until one fails. */
public final class OomWatch {

    private final Map<Device, MemoryListener> listeners = new HashMap<>();
    private Failure last;
    private int cell;

    private OomWatch() {
    }

    /** That session's. */
    public static OomWatch of(Session session) {
        return session.part(OomWatch.class, OomWatch::new);
    }

    /** A cell begins: every GPU that there is now is watched. */
    public synchronized void cellStarted(int number) {
        cell = number;
        listeners.keySet().retainAll(Device.all());
        for (Device device : Tracking.gpusInUse()) {
            listeners.computeIfAbsent(device, this::watch);
        }
    }

    /** A GPU's allocator has been made, perhaps in the cell that fails on it. */
    public synchronized void made(Device device) {
        listeners.computeIfAbsent(device, this::watch);
    }

    /** The last failure; empty if there was none. */
    public synchronized Optional<Failure> last() {
        return Optional.ofNullable(last);
    }

    /** Watches no more, and forgets the last failure, whose error leads to the cell's classes and all that they hold. */
    public synchronized void close() {
        last = null;
        listeners.forEach((device, listener) -> Allocators.of(device).removeListener(listener));
        listeners.clear();
    }

    private MemoryListener watch(Device device) {
        Allocator allocator = Allocators.of(device);
        // allocators are known by their devices, weakly: one that held its own would never go
        WeakReference<Device> asked = new WeakReference<>(device);
        MemoryListener listener = new MemoryListener() {
            @Override
            public void outOfMemory(OutOfMemoryException failure, long stream) {
                Device still = asked.get();
                if (still != null) {
                    failed(still, allocator, failure, stream);
                }
            }
        };
        allocator.addListener(listener);
        return listener;
    }

    private synchronized void failed(Device device, Allocator allocator, OutOfMemoryException error, long stream) {
        AllocatorSettings settings = allocator instanceof CachingAllocator c ? c.settings() : AllocatorSettings.DEFAULT;
        last = new Failure(device, error, stream, cell, allocator.segments(), LiveTensors.list(), settings,
                CellLines.current());
    }
}
