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

    /**
     * {@return bytes of blocks handed out now on the current device, rounded sizes included:
     * {@code torch.cuda.memory_allocated}}
     */
    public static long memoryAllocated() {
        return memoryAllocated(Device.current());
    }

    /**
     * {@return bytes of blocks handed out now, as {@link #memoryAllocated()}}
     *
     * @param device
     *            any device
     */
    public static long memoryAllocated(final Device device) {
        return Allocators.of(device).stats().allocatedBytes();
    }

    /**
     * {@return the most bytes handed out at once on the current device since the last
     * {@link #resetPeakMemoryStats()}: {@code torch.cuda.max_memory_allocated}}
     */
    public static long maxMemoryAllocated() {
        return maxMemoryAllocated(Device.current());
    }

    /**
     * {@return the most bytes handed out at once, as {@link #maxMemoryAllocated()}}
     *
     * @param device
     *            any device
     */
    public static long maxMemoryAllocated(final Device device) {
        return Allocators.of(device).stats().peakAllocatedBytes();
    }

    /**
     * {@return bytes held from the driver now on the current device, handed out or cached:
     * {@code torch.cuda.memory_reserved}}
     */
    public static long memoryReserved() {
        return memoryReserved(Device.current());
    }

    /**
     * {@return bytes held from the driver now, as {@link #memoryReserved()}}
     *
     * @param device
     *            any device
     */
    public static long memoryReserved(final Device device) {
        return Allocators.of(device).stats().reservedBytes();
    }

    /**
     * {@return the most bytes held from the driver at once on the current device since the last
     * {@link #resetPeakMemoryStats()}: {@code torch.cuda.max_memory_reserved}}
     */
    public static long maxMemoryReserved() {
        return maxMemoryReserved(Device.current());
    }

    /**
     * {@return the most bytes held from the driver at once, as {@link #maxMemoryReserved()}}
     *
     * @param device
     *            any device
     */
    public static long maxMemoryReserved(final Device device) {
        return Allocators.of(device).stats().peakReservedBytes();
    }

    /** {@return the 122 statistics of the current device, sorted by key: {@code torch.cuda.memory_stats}} */
    public static SortedMap<String, Long> memoryStats() {
        return memoryStats(Device.current());
    }

    /**
     * {@return the 122 statistics of a device, as {@link #memoryStats()}}
     *
     * @param device
     *            any device
     */
    public static SortedMap<String, Long> memoryStats(final Device device) {
        return Allocators.of(device).stats().asMap();
    }

    /**
     * {@return PyTorch's table of the current device's statistics, with the rows per pool:
     * {@code torch.cuda.memory_summary}}
     */
    public static String memorySummary() {
        return memorySummary(Device.current(), false);
    }

    /**
     * {@return PyTorch's table of a device's statistics, lines of 75 characters}
     *
     * @param device
     *            any device
     * @param abbreviated
     *            without the rows per pool
     */
    public static String memorySummary(final Device device, final boolean abbreviated) {
        final Map<String, Long> stats = memoryStats(device);
        return MemorySummary.text(stats, Integer.toString(device.index()), abbreviated);
    }

    /**
     * Gives every cached segment that is wholly free back to the driver, on every GPU.
     * {@code torch.cuda.empty_cache}.
     */
    public static void emptyCache() {
        for (final Device device : Device.all()) {
            Allocators.of(device).emptyCache();
        }
    }

    /** Sets every peak of the current device to its current value. {@code torch.cuda.reset_peak_memory_stats}. */
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

    /** {@return the limit as a share of the current device's memory; 1 when there is none} */
    public static double getPerProcessMemoryFraction() {
        return Allocators.of(Device.current()).memoryFraction();
    }

    /** {@return free and total memory of the current device by its driver's account} */
    public static MemGetInfo memGetInfo() {
        final Device device = Device.current();
        return new MemGetInfo(device.driver().freeBytes(), device.driver().totalBytes());
    }

    /**
     * {@return the processes that use the current device's memory, as {@code torch.cuda.list_gpu_processes()} prints
     * them}
     */
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

    /**
     * Starts, changes or stops the history of every GPU.
     *
     * @param options
     *            what to keep from now on
     */
    public static void recordMemoryHistory(final HistoryOptions options) {
        for (final Device device : Device.all()) {
            Allocators.of(device).recordHistory(options);
        }
    }

    /**
     * {@return the state of every GPU: segments, blocks, history; {@code torch.cuda.memory._snapshot}}
     *
     * <p>
     * GPUs whose memory is not cached are not in it.
     */
    public static MemorySnapshot snapshot() {
        final Map<Integer, CachingAllocator> allocators = new TreeMap<>();
        for (final Device device : Device.all()) {
            if (Allocators.of(device) instanceof CachingAllocator caching) {
                allocators.put(device.index(), caching);
            }
        }
        return MemorySnapshot.of(allocators);
    }

    /**
     * Writes {@link #snapshot()} to a file: see {@link MemorySnapshot#write}.
     *
     * @param file
     *            a pickle, or JSON if its name ends with .json; compressed if it ends with .gz
     * @throws IOException
     *             if it cannot be written; then what was there before is there still
     */
    public static void dumpSnapshot(final Path file) throws IOException {
        snapshot().write(file);
    }

    /** {@return the statistics of the current device's pinned host memory: {@code torch.cuda.host_memory_stats}} */
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

    /**
     * Attaches a text to the history entries from now on, of every GPU; empty for none.
     *
     * @param text
     *            shown in snapshots as {@code user_metadata}
     */
    public static void setMemoryMetadata(final String text) {
        for (final Device device : Device.all()) {
            if (Allocators.of(device) instanceof CachingAllocator caching) {
                caching.setMemoryMetadata(text);
            }
        }
    }
}
