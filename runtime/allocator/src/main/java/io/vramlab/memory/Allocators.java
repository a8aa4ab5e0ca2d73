package io.vramlab.memory;

import io.vramlab.device.Device;
import io.vramlab.device.DevicePart;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** Each device's allocator, made at its first use. */
public final class Allocators {

    private static final DevicePart<Allocator> PART = new DevicePart<>(Allocators::create);
    /** Held while settings change and while an allocator is made by them: none is made by settings that have passed. */
    private static final Object SETTINGS = new Object();

    private static final List<String> VARIABLES = List.of("VRAMLAB_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF",
            "PYTORCH_HIP_ALLOC_CONF", "PYTORCH_ALLOC_CONF");
    private static final List<BiConsumer<Device, Allocator>> WATCHERS = new CopyOnWriteArrayList<>();
    private static AllocatorSettings settings;

    private Allocators() {
    }

    /**
     * {@return the settings of all caching allocators: at first those of the environment, where the first of
     * VRAMLAB_ALLOC_CONF, PYTORCH_CUDA_ALLOC_CONF, PYTORCH_HIP_ALLOC_CONF and PYTORCH_ALLOC_CONF that is set counts}
     *
     * @throws IllegalArgumentException
     *             if the environment's text is not valid
     */
    public static AllocatorSettings settings() {
        synchronized (SETTINGS) {
            if (settings == null) {
                settings = fromEnvironment(System.getenv());
            }
            return settings;
        }
    }

    /**
     * Changes the settings of all caching allocators, those to come included. Blocks and segments stay as they are.
     *
     * @param text
     *            as in PYTORCH_CUDA_ALLOC_CONF
     * @throws IllegalArgumentException
     *             if it is not valid, with PyTorch's message; then nothing changes
     */
    public static void configure(final String text) {
        synchronized (SETTINGS) {
            final AllocatorSettings next = settings().with(text);
            settings = next;
            for (final Allocator allocator : PART.all()) {
                if (allocator instanceof CachingAllocator caching) {
                    caching.configure(next);
                }
            }
        }
    }

    static AllocatorSettings fromEnvironment(final Map<String, String> environment) {
        for (final String variable : VARIABLES) {
            final String text = environment.get(variable);
            if (text != null) {
                return refuseAsync(AllocatorSettings.fromEnvironment(text), variable);
            }
        }
        return AllocatorSettings.DEFAULT;
    }

    private static AllocatorSettings refuseAsync(final AllocatorSettings read, final String variable) {
        if (read.asyncBackend()) {
            throw new IllegalArgumentException(variable + " asks for backend:cudaMallocAsync, whose memory the driver"
                    + " manages out of sight; VramLab has the native backend only. Remove that setting.");
        }
        return read;
    }

    /**
     * {@return the allocator of a device: caching on GPUs, real, simulated or shapes-only; uncached on the CPU, and
     * everywhere under {@code PYTORCH_NO_CUDA_MEMORY_CACHING=1}}
     *
     * @param device
     *            any device; its driver is opened if it was not
     * @throws IllegalArgumentException
     *             if the settings are those of the environment and its text is not valid
     */
    public static Allocator of(final Device device) {
        final Allocator known = PART.made(device);
        return known == null ? make(device) : known;
    }

    private static Allocator make(final Device device) {
        final Allocator made;
        synchronized (SETTINGS) {
            final Allocator known = PART.made(device);
            if (known != null) {
                return known;
            }
            made = PART.of(device);
        }
        // without the lock: who watches may ask for allocators under locks of its own
        WATCHERS.forEach(watcher -> watcher.accept(device, made));
        return made;
    }

    /**
     * Tells of each allocator when it is made, before it serves a request of the thread that asked for it.
     *
     * @param watcher
     *            called once per device from now on, on the thread that asked first, without a lock
     */
    public static void watch(final BiConsumer<Device, Allocator> watcher) {
        WATCHERS.add(watcher);
    }

    /**
     * Tells no more.
     *
     * @param watcher
     *            as {@link #watch} was given it
     */
    public static void unwatch(final BiConsumer<Device, Allocator> watcher) {
        WATCHERS.remove(watcher);
    }

    private static Allocator create(final Device device) {
        final StreamEvents events = StreamEvents.of(device.driver());
        if (!device.isCuda() || cachingIsOff()) {
            return new UncachedAllocator(device.index(), device.driver(), events);
        }
        return new CachingAllocator(device.index(), device.driver(), events, settings(),
                device.driver()::processes);
    }

    private static boolean cachingIsOff() {
        return "1".equals(System.getenv("PYTORCH_NO_CUDA_MEMORY_CACHING"));
    }
}
