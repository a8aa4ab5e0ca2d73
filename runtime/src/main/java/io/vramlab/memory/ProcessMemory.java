package io.vramlab.memory;

import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceMemory;
import java.util.List;

/** Which processes use a GPU's memory, for the sentence about them in out-of-memory messages. */
public interface ProcessMemory {

    /**
     * One process.
     *
     * @param pid
     *            its id
     * @param own
     *            whether it is this one
     * @param bytes
     *            what it uses of the device
     */
    record Usage(long pid, boolean own, long bytes) {
    }

    /** The processes on the device, in the driver's order; empty when that cannot be known. */
    List<Usage> usages();

    /** What a device's driver knows. */
    static ProcessMemory of(final DeviceDriver driver) {
        return () -> driver.processes().stream().map(p -> new Usage(p.pid(), p.own(), p.bytes())).toList();
    }

    /** A device that no other process uses, as a simulated GPU: what is not free is ours. */
    static ProcessMemory soleUser(final DeviceMemory memory) {
        return () -> List
                .of(new Usage(ProcessHandle.current().pid(), true, memory.totalBytes() - memory.freeBytes()));
    }

    /** The sentences of the out-of-memory message, each ending with a space. */
    default String sentences() {
        final StringBuilder text = new StringBuilder();
        for (final Usage usage : usages()) {
            text.append(usage.own ? "Including non-PyTorch memory, this process" : "Process " + usage.pid)
                    .append(" has ").append(Sizes.text(usage.bytes)).append(" memory in use. ");
        }
        return text.toString();
    }
}
