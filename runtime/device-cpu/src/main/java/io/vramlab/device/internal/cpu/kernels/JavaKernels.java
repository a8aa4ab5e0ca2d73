package io.vramlab.device.internal.cpu.kernels;

import io.vramlab.device.HostAccess;
import io.vramlab.device.Kernels;
import io.vramlab.device.KernelsProvider;

/** Offers {@link CpuKernels} to every device whose memory the host can reach. */
public final class JavaKernels implements KernelsProvider {

    @Override
    public Kernels create(HostAccess memory) {
        return new CpuKernels(memory);
    }
}
