package io.vramlab.device.internal.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.vramlab.device.DeviceProcess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * NVIDIA's management library, for which processes hold a GPU's memory. It comes with the driver, is not always there
 * (containers leave it out), and is never needed: without it the answer is empty.
 */
final class Nvml {

    private static final List<String> NAMES = List.of("libnvidia-ml.so.1", "nvml.dll");
    /** sizeof(nvmlProcessInfo_t): pid, padding, bytes, two instance ids. */
    private static final long ENTRY_BYTES = 24;
    private static final int MOST_PROCESSES = 256;
    private static final int SUCCESS = 0;

    /** Looked for once. */
    private static final class Holder {
        static final Optional<Nvml> FOUND = DriverCalls.library(NAMES).flatMap(Nvml::open);
    }

    private final MethodHandle byBusId;
    private final MethodHandle processes;

    private Nvml(SymbolLookup library) {
        byBusId = DriverCalls.bind(library, "nvmlDeviceGetHandleByPciBusId_v2", ADDRESS, ADDRESS);
        processes = DriverCalls.bind(library, "nvmlDeviceGetComputeRunningProcesses_v3", JAVA_LONG, ADDRESS, ADDRESS);
    }

    private static Optional<Nvml> open(SymbolLookup library) {
        // drivers older than the ones whose PTX we need lack the third version of the list
        if (library.find("nvmlDeviceGetComputeRunningProcesses_v3").isEmpty()) {
            return Optional.empty();
        }
        try {
            int code = (int) DriverCalls.bind(library, "nvmlInit_v2").invokeExact();
            return code == SUCCESS ? Optional.of(new Nvml(library)) : Optional.empty();
        } catch (Throwable t) {
            throw DriverCalls.mistyped(t);
        }
    }

    /** The compute processes on the GPU at a PCI address, in NVML's order; empty where that cannot be known. */
    static List<DeviceProcess> processes(String busId) {
        return Holder.FOUND.map(n -> n.list(busId)).orElse(List.of());
    }

    private List<DeviceProcess> list(String busId) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment device = arena.allocate(JAVA_LONG);
            MemorySegment count = arena.allocate(JAVA_INT);
            MemorySegment entries = arena.allocate(ENTRY_BYTES * MOST_PROCESSES, 8);
            count.set(JAVA_INT, 0, MOST_PROCESSES);
            int found = (int) byBusId.invokeExact(arena.allocateFrom(busId), device);
            if (found != SUCCESS
                    || (int) processes.invokeExact(device.get(JAVA_LONG, 0), count, entries) != SUCCESS) {
                return List.of();
            }
            List<DeviceProcess> list = new ArrayList<>();
            for (int i = 0; i < count.get(JAVA_INT, 0); i++) {
                long pid = Integer.toUnsignedLong(entries.get(JAVA_INT, i * ENTRY_BYTES));
                list.add(new DeviceProcess(pid, pid == ProcessHandle.current().pid(),
                        entries.get(JAVA_LONG, i * ENTRY_BYTES + 8)));
            }
            return list;
        } catch (Throwable t) {
            throw DriverCalls.mistyped(t);
        }
    }
}
