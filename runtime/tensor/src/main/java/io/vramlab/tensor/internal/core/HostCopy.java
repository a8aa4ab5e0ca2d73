package io.vramlab.tensor.internal.core;

import io.vramlab.device.Device;
import io.vramlab.device.HostAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Moves bytes between the host's memory and a device's, or between two devices by way of the host. */
public final class HostCopy {

    private HostCopy() {
    }

    /**
     * Both tensors are of one dtype and lie alike in memory.
     *
     * @param nonBlocking
     *            whether to return before a copy from page-locked memory to a device is done
     */
    public static void bytes(TensorImpl target, TensorImpl source, boolean nonBlocking) {
        long bytes = source.count() * source.dtype().bytes();
        if (bytes == 0) {
            return;
        }
        long from = source.operand().address();
        long to = target.operand().address();
        if (!source.device().isCuda() && target.device().isCuda()) {
            target.driver().copyToDevice(to, host(source.device(), from, bytes), target.stream());
            if (source.storage().isPinned() && nonBlocking) {
                source.storage().usedOn(target.stream());
            } else if (source.storage().isPinned()) {
                target.driver().synchronizeStream(target.stream());
            }
        } else if (source.device().isCuda() && !target.device().isCuda()) {
            if (!source.driver().holdsValues()) {
                // a tensor of that form, as every result there; its values are none that anybody computed
                host(target.device(), to, bytes).fill((byte) 0);
                return;
            }
            source.driver().copyToHost(host(target.device(), to, bytes), from, source.stream());
            source.driver().synchronizeStream(source.stream());
        } else {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment staged = arena.allocate(bytes, 8);
                source.driver().copyToHost(staged, from, source.stream());
                source.driver().synchronizeStream(source.stream());
                target.driver().copyToDevice(to, staged, target.stream());
            }
        }
    }

    private static MemorySegment host(Device cpu, long address, long bytes) {
        return ((HostAccess) cpu.driver()).at(address, bytes);
    }
}
