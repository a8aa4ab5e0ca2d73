package io.vramlab.tensor;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.internal.core.Storage;
import io.vramlab.tensor.type.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What is alive: every storage that someone holds, and what the collector has let go. For tables. */
public final class LiveTensors {

    /**
     * One storage.
     *
     * @param id
     *            of the oldest open handle on it, or 0 when only graphs, gradients or the runtime hold it
     * @param address
     *            device address
     * @param bytes
     *            as asked for
     * @param dtype
     *            of that handle's tensor, null without one
     * @param shape
     *            of that handle's tensor, null without one
     * @param device
     *            where it lies
     * @param kind
     *            what it is for
     * @param siteId
     *            call site of its birth, see {@link io.vramlab.memory.CallSites}
     * @param holders
     *            tensors, views and graph nodes that hold it
     * @param handles
     *            open {@link Tensor} objects among them
     */
    public record Entry(long id, long address, long bytes, DType dtype, long[] shape, Device device, Kind kind,
            int siteId, int holders, int handles) {
    }

    private LiveTensors() {
    }

    /**
     * All storages that are held now, oldest first; empty ones are left out.
     *
     * @return one entry for each storage, oldest first; empty ones are left out. A moment's picture: other threads go
     *         on
     */
    public static List<Entry> list() {
        Map<Storage, List<Handle>> open = new HashMap<>();
        for (Handle h : Handle.open()) {
            open.computeIfAbsent(h.impl.storage(), s -> new ArrayList<>()).add(h);
        }
        List<Entry> entries = new ArrayList<>();
        for (Storage s : Storage.live()) {
            if (s.bytes() == 0) {
                continue;
            }
            List<Handle> handles = open.getOrDefault(s, List.of());
            Handle first = handles.isEmpty() ? null : handles.getFirst();
            entries.add(new Entry(first == null ? 0 : first.id, s.address(), s.bytes(),
                    first == null ? null : first.impl.dtype(), first == null ? null : first.impl.shape(), s.device(),
                    s.kind(), s.siteId(), s.holders(), handles.size()));
        }
        return entries;
    }

    /**
     * {@return how many {@link Tensor} objects are open: not closed, and not yet found unreachable by the collector}
     */
    public static int open() {
        return Handle.open().size();
    }

    /**
     * Whether new tensors remember where they were made. Off at first, because walking the stack costs more than making
     * a tensor.
     *
     * @param on
     *            for tensors made from now on, in all threads
     */
    public static void recordSites(boolean on) {
        Storage.recordSites(on);
    }

    /**
     * Lets go the tensors that the collector has found so far; collects nothing itself.
     *
     * @return how many handles and bytes that were
     */
    public static Collected drain() {
        Collected before = Handle.total(false);
        Handle.sweep(false);
        return Handle.total(false).minus(before);
    }

    /**
     * Tells from now on of each tensor that the collector lets go.
     *
     * @param watcher
     *            called on the thread that looks for what was collected, which may be one that allocates: it must be quick
     *            and ask for no memory of a device; null for nobody
     */
    public static void watchCollected(Consumer<CollectedTensor> watcher) {
        Handle.watch(watcher);
    }

    /** {@return everything the collector has let go since the process started} */
    public static Collected collected() {
        return Handle.total(false);
    }

    /** {@return the part of {@link #collected} that an allocation failure asked for} */
    public static Collected collectedUnderPressure() {
        return Handle.total(true);
    }
}
