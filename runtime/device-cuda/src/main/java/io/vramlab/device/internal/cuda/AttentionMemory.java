package io.vramlab.device.internal.cuda;

import io.vramlab.device.ByteSize;
import io.vramlab.device.AttentionSteps;
import io.vramlab.device.DeviceException;
import io.vramlab.device.DeviceMemory;
import java.util.HashMap;
import java.util.Map;

/**
 * What attention's steps keep between them: one piece of memory per stream, which grows. Not the allocator's: it counts as
 * memory outside it, docs/footprint.md, "What our own kernels take".
 */
final class AttentionMemory {

    private record Piece(long address, long bytes) {
    }

    private final CudaMemory memory;
    private final Map<Long, Piece> pieces = new HashMap<>();

    AttentionMemory(CudaMemory memory) {
        this.memory = memory;
    }

    AttentionSteps.Memory on(long stream) {
        return bytes -> of(stream, bytes);
    }

    /** A smaller piece stays until the device is closed: work that was queued may still read it. */
    private synchronized long of(long stream, long bytes) {
        Piece now = pieces.get(stream);
        if (now == null || now.bytes < bytes) {
            long address = memory.allocateOutside(bytes);
            if (address == DeviceMemory.OUT_OF_MEMORY) {
                throw new DeviceException(ByteSize.text(bytes)
                        + " of working memory for attention were asked for; the device is full. Free something, "
                        + "or call Cuda.emptyCache().");
            }
            now = new Piece(address, bytes);
            pieces.put(stream, now);
        }
        return now.address;
    }
}
