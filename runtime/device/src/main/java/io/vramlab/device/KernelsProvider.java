package io.vramlab.device;

/**
 * Gives devices whose memory the host can reach their arithmetic. Found through {@link java.util.ServiceLoader}, so that
 * a device and the kernels that run on it can live in packages, and one day modules, that do not know each other. There is
 * one: {@code JavaKernels} in {@code io.vramlab.device.internal.cpu.kernels}, which makes {@code CpuKernels}.
 */
public interface KernelsProvider {

    /**
     * Kernels over one device's memory. Called once per device.
     *
     * @param memory
     *            what the kernels read and write
     * @return the arithmetic of that device
     */
    Kernels create(HostAccess memory);
}
