package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The facade on a simulated GPU of 1 GiB. */
class CudaTest {

    private static final long MIB = 1L << 20;

    private final Device before = Device.current();
    private Device device;

    @BeforeEach
    void open() {
        device = Device.simulated("1GiB");
        Device.set(device);
    }

    @AfterEach
    void close() {
        Device.set(before);
        device.close();
    }

    @Test
    void figuresAreThoseOfTheCurrentDevice() {
        final Allocator allocator = Allocators.of(device);
        final long address = allocator.allocate(30 * MIB, 0);

        assertEquals(30 * MIB, Cuda.memoryAllocated());
        assertEquals(30 * MIB, Cuda.memoryReserved());
        allocator.free(address);
        assertEquals(0, Cuda.memoryAllocated());
        assertEquals(30 * MIB, Cuda.maxMemoryAllocated());
        Cuda.emptyCache();
        assertEquals(0, Cuda.memoryReserved());
        assertEquals(122, Cuda.memoryStats().size());
        assertTrue(Cuda.memorySummary().contains("device ID " + device.index()));
    }

    @Test
    void aFractionLimitsWhatMayBeReserved() {
        Cuda.setPerProcessMemoryFraction(0.25);

        assertEquals(0.25, Cuda.getPerProcessMemoryFraction(), 1e-9);
        final OutOfMemoryException oom = assertThrows(OutOfMemoryException.class,
                () -> Allocators.of(device).allocate(300 * MIB, 0));
        assertEquals((long) (0.25 * Cuda.memGetInfo().total()), oom.limit());
    }

    @Test
    @Tag("simulated")
    void theProcessesOfASimulatedGpuAreThisOne() {
        Allocators.of(device).allocate(30 * MIB, 0);

        final String[] lines = Cuda.listGpuProcesses().split("\n");

        assertEquals("GPU:" + device.index(), lines[0]);
        assertTrue(lines[1].matches("process +" + ProcessHandle.current().pid() + " uses +\\d+\\.\\d{3} MB GPU memory"),
                lines[1]);
    }

    @Test
    void wrongSettingsAndHistoryOptionsChangeNothing() {
        final AllocatorSettings settings = Allocators.settings();

        assertThrows(IllegalArgumentException.class, () -> Cuda.setAllocatorSettings("nonsense:1"));
        assertEquals("expected state to be 'state', 'all', or None",
                assertThrows(IllegalArgumentException.class, () -> Cuda.recordMemoryHistory("some")).getMessage());

        assertEquals(settings, Allocators.settings());
        assertEquals(0, Allocators.of(device).history().size());
    }
}
