package io.vramlab.device;

/**
 * One device as the runtime sees it: memory, streams and copies. Implementations: the simulated GPU
 * ({@code io.vramlab.device.sim}), the CUDA driver ({@code io.vramlab.device.cuda}), the shapes-only device, and, in
 * tests, a recorded list of addresses.
 */
public interface DeviceDriver extends DeviceMemory, DeviceStreams, AutoCloseable {

    /** What this device is; never changes. */
    DeviceProperties properties();

    /** The arithmetic. */
    Kernels kernels();

    /** Gives everything back. Idempotent. */
    @Override
    void close();
}
