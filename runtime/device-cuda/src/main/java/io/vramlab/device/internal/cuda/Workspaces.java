package io.vramlab.device.internal.cuda;

import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceMemory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A few MiB per stream for the partial results of reductions over several blocks. Not the allocator's: it counts as
 * memory outside it, like the context: docs/footprint.md, "What our own kernels take".
 */
final class Workspaces {

    /** What one stream has. */
    static final long BYTES = 4L << 20;

    private final CudaMemory memory;
    private final Map<Long, Long> addresses = new ConcurrentHashMap<>();

    Workspaces(CudaMemory memory) {
        this.memory = memory;
    }

    /** The stream's workspace; its contents belong to one launch and the next of the same stream. */
    long of(long stream) {
        return addresses.computeIfAbsent(stream, s -> {
            long address = memory.allocateOutside(BYTES);
            if (address == DeviceMemory.OUT_OF_MEMORY) {
                throw new DeviceException("4 MiB of working memory for reductions were asked for; the device is full. "
                        + "Free something, or call Cuda.emptyCache().");
            }
            return address;
        });
    }
}
