package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.vramlab.device.Device;
import java.lang.foreign.MemorySegment;
import java.util.SortedMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PinnedMemoryTest {

    private final Device device = Device.simulated("1GiB");
    private final PinnedMemory pinned = new PinnedMemory(device.driver());

    @AfterEach
    void close() {
        device.close();
    }

    @Test
    void sizesAreRoundedToPowersOfTwoAndReusedOnlyExactly() {
        final MemorySegment three = pinned.allocate(3);
        pinned.free(three);
        assertEquals(3, three.byteSize());

        assertEquals(three.address(), pinned.allocate(4).address());
        assertNotEquals(three.address(), pinned.allocate(5).address());
        // 3 -> 4 bytes, reused; 5 -> 8 bytes
        assertEquals(12, pinned.stats().get("allocated_bytes.current"));
        assertEquals(2, pinned.stats().get("num_host_alloc"));
    }

    @Test
    void statisticsAreTrueWhereThoseOfPyTorchDrift() {
        for (int i = 0; i < 5; i++) {
            pinned.free(pinned.allocate(1000));
        }
        final SortedMap<String, Long> stats = pinned.stats();

        assertEquals(0, stats.get("active_requests.current"));
        assertEquals(0, stats.get("active_bytes.current"));
        assertEquals(5 * 1024, stats.get("active_bytes.freed"));
        assertEquals(1, stats.get("host_alloc_time.count"));
        assertEquals(28, stats.size());
    }

    @Test
    void emptyingTheCacheGivesOnlyFreeBlocksBack() {
        final MemorySegment kept = pinned.allocate(1000);
        pinned.free(pinned.allocate(5000));

        pinned.emptyCache();

        assertEquals(1024, pinned.stats().get("allocated_bytes.current"));
        assertEquals(1, pinned.stats().get("num_host_free"));
        pinned.free(kept);
    }

    @Test
    void wrongAddressesAndSizesAreRefused() {
        final MemorySegment memory = pinned.allocate(16);
        pinned.free(memory);

        assertThrows(IllegalArgumentException.class, () -> pinned.free(memory));
        assertThrows(IllegalArgumentException.class, () -> pinned.allocate(-1));
        assertEquals(0, pinned.allocate(0).byteSize());
        assertEquals(0, pinned.stats().get("active_requests.current"));
    }

    @Test
    void aBlockThatAStreamUsedIsRecycledWhenItsWorkIsDone() {
        final MemorySegment memory = pinned.allocate(64);
        pinned.recordStream(memory, 0);
        pinned.free(memory);
        device.synchronize();

        assertEquals(memory.address(), pinned.allocate(64).address());
    }
}
