package io.vramlab.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * One device as the runtime sees it: memory, streams and copies. Implementations: the simulated GPU
 * ({@code io.vramlab.device.internal.sim}), the CUDA driver ({@code io.vramlab.device.internal.cuda}), the shapes-only device, and, in
 * tests, a recorded list of addresses.
 */
public interface DeviceDriver extends DeviceMemory, DeviceStreams, DeviceCopies, AutoCloseable {

    /** {@return what this device is; never changes} */
    DeviceProperties properties();

    /** {@return the arithmetic} */
    Kernels kernels();

    /**
     * Makes every launch wait for its own end, so that a fault is thrown by the call that caused it (as
     * CUDA_LAUNCH_BLOCKING=1 does). Slow; off by default. Devices whose errors come at once ignore it.
     *
     * @param on
     *            true to wait
     */
    default void setLaunchBlocking(boolean on) {
        // nothing is late unless the device says so
    }

    /**
     * Tells what makes a GPU's driver take addresses for itself. The first time, a simulated one does so; real ones do it anyway.
     *
     * @param step
     *            what happens
     */
    default void step(DriverStep step) {
        // real drivers know
    }

    /**
     * Lets float32 matrix products use TF32: several times faster on GPUs since 2020, with ten bits of mantissa. Off by
     * default, as in PyTorch (torch.backends.cuda.matmul.allow_tf32). Devices without it ignore it.
     *
     * @param on
     *            true to let products use it
     */
    default void setAllowTf32(boolean on) {
        // only real GPUs have it
    }

    /**
     * {@return the processes that hold memory of this device, in the driver's order; empty where that cannot be
     * known} A device that is not shared has this one alone, with all that is not free.
     */
    default List<DeviceProcess> processes() {
        return List.of(new DeviceProcess(ProcessHandle.current().pid(), true, totalBytes() - freeBytes()));
    }

    /**
     * Copies from another device's memory, on a stream of this one. Waits for the work that the other device was given
     * before.
     *
     * @param destination
     *            an address of this device
     * @param source
     *            the other device's driver
     * @param sourceAddress
     *            an address of the other device
     * @param bytes
     *            length in bytes
     * @param stream
     *            a stream of this device
     */
    default void copyFromPeer(long destination, DeviceDriver source, long sourceAddress, long bytes, long stream) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment staging = arena.allocate(bytes);
            source.synchronize();
            source.copyToHost(staging, sourceAddress, DEFAULT_STREAM);
            copyToDevice(destination, staging, stream);
        }
    }

    /** Gives everything back. Idempotent. */
    @Override
    void close();
}
