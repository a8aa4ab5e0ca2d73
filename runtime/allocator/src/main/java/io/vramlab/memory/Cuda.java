package io.vramlab.memory;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The memory functions of {@code torch.cuda}, under their names in Java's case. Those without a device speak of the
 * current one; on the CPU all figures are 0. Sizes in bytes.
 */
public final class Cuda {

    /**
     * What the driver says of a device's memory.
     *
     * @param free
     *            free bytes
     * @param total
     *            bytes in all
     */
    public record MemGetInfo(long free, long total) {
    }

    private Cuda() {
    }

    /** Bytes of blocks handed out. */
    public static long memoryAllocated() {
        return memoryAllocated(Device.current());
    }

    /** See {@link #memoryAllocated()}. */
    public static long memoryAllocated(final Device device) {
        return Allocators.of(device).stats().allocatedBytes();
    }

    /** The most bytes handed out at once since the last {@link #resetPeakMemoryStats()}. */
    public static long maxMemoryAllocated() {
        return maxMemoryAllocated(Device.current());
    }

    /** See {@link #maxMemoryAllocated()}. */
    public static long maxMemoryAllocated(final Device device) {
        return Allocators.of(device).stats().peakAllocatedBytes();
    }

    /** Bytes held from the driver, handed out or cached. */
    public static long memoryReserved() {
        return memoryReserved(Device.current());
    }

    /** See {@link #memoryReserved()}. */
    public static long memoryReserved(final Device device) {
        return Allocators.of(device).stats().reservedBytes();
    }

    /** The most bytes held from the driver at once since the last {@link #resetPeakMemoryStats()}. */
    public static long maxMemoryReserved() {
        return maxMemoryReserved(Device.current());
    }

    /** See {@link #maxMemoryReserved()}. */
    public static long maxMemoryReserved(final Device device) {
        return Allocators.of(device).stats().peakReservedBytes();
    }

    /** The 122 statistics, sorted by key. */
    public static SortedMap<String, Long> memoryStats() {
        return memoryStats(Device.current());
    }

    /** See {@link #memoryStats()}. */
    public static SortedMap<String, Long> memoryStats(final Device device) {
        return Allocators.of(device).stats().asMap();
    }

    /** PyTorch's table of the statistics. */
    public static String memorySummary() {
        return memorySummary(Device.current(), false);
    }

    /**
     * PyTorch's table of the statistics.
     *
     * @param abbreviated
     *            without the rows per pool
     */
    public static String memorySummary(final Device device, final boolean abbreviated) {
        final Map<String, Long> stats = memoryStats(device);
        return MemorySummary.text(stats, Integer.toString(device.index()), abbreviated);
    }

    /** Gives every cached segment that is wholly free back to the driver, on every GPU. */
    public static void emptyCache() {
        for (final Device device : Device.all()) {
            Allocators.of(device).emptyCache();
        }
    }

    /** Sets every peak of the current device to its current value. */
    public static void resetPeakMemoryStats() {
        Allocators.of(Device.current()).resetPeakMemoryStats();
    }

    /** Sets every "allocated", "freed" and count of the current device to 0. */
    public static void resetAccumulatedMemoryStats() {
        Allocators.of(Device.current()).resetAccumulatedMemoryStats();
    }

    /**
     * Limits what may be reserved of the current device.
     *
     * @param fraction
     *            of its memory, 0 to 1; 1 removes the limit
     * @throws IllegalArgumentException
     *             if it is outside that range
     */
    public static void setPerProcessMemoryFraction(final double fraction) {
        Allocators.of(Device.current()).setMemoryFraction(fraction);
    }

    /** The limit as a share of the current device's memory; 1 when there is none. */
    public static double getPerProcessMemoryFraction() {
        return Allocators.of(Device.current()).memoryFraction();
    }

    /** Free and total memory of the current device by its driver's account. */
    public static MemGetInfo memGetInfo() {
        final Device device = Device.current();
        return new MemGetInfo(device.driver().freeBytes(), device.driver().totalBytes());
    }

    /** The processes that use the current device's memory, as {@code torch.cuda.list_gpu_processes()} prints them. */
    public static String listGpuProcesses() {
        final Device device = Device.current();
        final List<DeviceProcess> processes = device.driver().processes();
        final StringBuilder text = new StringBuilder("GPU:" + device.index());
        for (final DeviceProcess process : processes) {
            text.append(String.format(Locale.ROOT, "\nprocess %10d uses %12.3f MB GPU memory", process.pid(),
                    process.bytes() / (double) (1 << 20)));
        }
        return processes.isEmpty() ? text.append("\nno processes are running").toString() : text.toString();
    }

    /** Waits until all work given to the current device is done. */
    public static void synchronize() {
        Device.current().synchronize();
    }

    /** Starts the history of every GPU, with call sites, without bound. */
    public static void recordMemoryHistory() {
        recordMemoryHistory(HistoryOptions.all());
    }

    /**
     * Starts or stops the history of every GPU, with call sites where it is "all" or "state".
     *
     * @param enabled
     *            "all", "state", or null to stop
     * @throws IllegalArgumentException
     *             if it is another word
     */
    public static void recordMemoryHistory(final String enabled) {
        recordMemoryHistory(new HistoryOptions(enabled, enabled == null ? null : "all", "all", Integer.MAX_VALUE, false,
                Set.of()));
    }

    /** Starts, changes or stops the history of every GPU. */
    public static void recordMemoryHistory(final HistoryOptions options) {
        for (final Device device : Device.all()) {
            Allocators.of(device).recordHistory(options);
        }
    }

    /** The state of every GPU: segments, blocks, history. */
    public static MemorySnapshot snapshot() {
        final Map<Integer, CachingAllocator> allocators = new TreeMap<>();
        for (final Device device : Device.all()) {
            if (Allocators.of(device) instanceof CachingAllocator caching) {
                allocators.put(device.index(), caching);
            }
        }
        return MemorySnapshot.of(allocators);
    }

    /** Writes {@link #snapshot()} to a file: see {@link MemorySnapshot#write}. */
    public static void dumpSnapshot(final Path file) throws IOException {
        snapshot().write(file);
    }

    /** The statistics of the current device's pinned host memory. */
    public static SortedMap<String, Long> hostMemoryStats() {
        return PinnedMemory.of(Device.current()).stats();
    }

    /**
     * Changes the allocator's settings on every GPU.
     *
     * @param text
     *            as in PYTORCH_CUDA_ALLOC_CONF
     * @throws IllegalArgumentException
     *             if it is not valid, with PyTorch's message; then nothing changes
     */
    public static void setAllocatorSettings(final String text) {
        Allocators.configure(text);
    }

    /** Attaches a text to the history entries from now on, of every GPU; empty for none. */
    public static void setMemoryMetadata(final String text) {
        for (final Device device : Device.all()) {
            if (Allocators.of(device) instanceof CachingAllocator caching) {
                caching.setMemoryMetadata(text);
            }
        }
    }
}
