package io.vramlab.memory;

import io.vramlab.device.DeviceMemory;
import io.vramlab.device.DeviceProcess;
import java.util.List;

/** Which processes use a GPU's memory, for the sentences about them in out-of-memory messages. */
@FunctionalInterface
public interface ProcessMemory {

    /** {@return the processes on the device, in the driver's order; empty when that cannot be known} */
    List<DeviceProcess> processes();

    /**
     * {@return a device that no other process uses, as a simulated GPU: what is not free is ours}
     *
     * @param memory
     *            of the device, asked for total and free bytes at each message
     */
    static ProcessMemory soleUser(final DeviceMemory memory) {
        return () -> List.of(
                new DeviceProcess(ProcessHandle.current().pid(), true, memory.totalBytes() - memory.freeBytes()));
    }

    /** {@return the sentences of the out-of-memory message, each ending with a space} */
    default String sentences() {
        final StringBuilder text = new StringBuilder();
        for (final DeviceProcess process : processes()) {
            text.append(process.own() ? "Including non-PyTorch memory, this process" : "Process " + process.pid())
                    .append(" has ").append(Sizes.text(process.bytes())).append(" memory in use. ");
        }
        return text.toString();
    }
}
