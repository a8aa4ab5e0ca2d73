package io.vramlab.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every device must do. One subclass per driver; a real GPU runs the same tests as the simulated one. Sizes are
 * multiples of 2 MiB wherever free memory is counted, because that is a GPU's page.
 */
public abstract class DeviceDriverContractTest {

    /** A GPU's page. */
    protected static final long MIB2 = 2L << 20;

    private DeviceDriver driver;

    /** A fresh driver of at least 64 MiB. */
    protected abstract DeviceDriver open();

    /** Whether what was written can be read back. */
    protected boolean hasValues() {
        return true;
    }

    /** Whether address ranges can be reserved and mapped. */
    protected boolean mapsRanges() {
        return true;
    }

    @BeforeEach
    void openDriver() {
        driver = open();
    }

    @AfterEach
    void closeDriver() {
        driver.close();
        driver.close(); // closing twice is harmless
    }

    /** The driver under test. */
    protected DeviceDriver driver() {
        return driver;
    }

    // memory ---------------------------------------------------------------------------------------------------------

    @Test
    void anAddressIsNeverNullAndAlignedTo512Bytes() {
        for (long bytes : new long[]{1, 511, 512, 513, 1 << 20, MIB2, MIB2 + 1}) {
            long address = driver.allocate(bytes);

            assertNotEquals(0, address, "bytes=" + bytes);
            assertEquals(0, address % 512, "bytes=" + bytes);
        }
    }

    @Test
    void allocationsNeverOverlap() {
        Random random = new Random(7);
        TreeMap<Long, Long> live = new TreeMap<>();
        for (int i = 0; i < 400; i++) {
            if (live.size() > 12 || random.nextInt(3) == 0 && !live.isEmpty()) {
                long address = new ArrayList<>(live.keySet()).get(random.nextInt(live.size()));
                driver.free(address);
                live.remove(address);
            } else {
                long bytes = 1 + random.nextInt(3 << 20);
                long address = driver.allocate(bytes);
                Map.Entry<Long, Long> below = live.floorEntry(address);
                Long above = live.ceilingKey(address);

                assertNotEquals(0, address);
                assertTrue(below == null || below.getKey() + below.getValue() <= address);
                assertTrue(above == null || address + bytes <= above);
                live.put(address, bytes);
            }
        }
    }

    @Test
    void freeMemoryFallsByWhatIsAllocatedAndRisesAgain() {
        long before = driver.freeBytes();

        long address = driver.allocate(8 * MIB2);
        long during = driver.freeBytes();
        driver.free(address);

        assertEquals(before - 8 * MIB2, during);
        assertEquals(before, driver.freeBytes());
        assertTrue(before <= driver.totalBytes());
        assertEquals(driver.totalBytes(), driver.properties().totalBytes());
    }

    @Test
    void askingForMoreThanThereIsIsAnAnswerAndHarmless() {
        long before = driver.freeBytes();

        assertEquals(DeviceMemory.OUT_OF_MEMORY, driver.allocate(driver.totalBytes() + MIB2));
        assertEquals(DeviceMemory.OUT_OF_MEMORY, driver.allocate(1L << 60));

        assertEquals(before, driver.freeBytes());
        assertNotEquals(0, driver.allocate(MIB2));
    }

    @Test
    void freeingWhatWasNotAllocatedIsRefused() {
        long address = driver.allocate(MIB2);
        long before = driver.freeBytes();

        assertThrows(DeviceException.class, () -> driver.free(address + 512));
        assertThrows(DeviceException.class, () -> driver.free(0x1000));
        driver.free(address);
        assertThrows(DeviceException.class, () -> driver.free(address));

        assertEquals(before + MIB2, driver.freeBytes());
    }

    @Test
    void aSizeThatIsNotPositiveIsRefused() {
        assertThrows(DeviceException.class, () -> driver.allocate(0));
        assertThrows(DeviceException.class, () -> driver.allocate(-1));
    }

    @Test
    void mappedGranulesTakeMemoryAndReservedAddressesDoNot() {
        if (!mapsRanges()) {
            assertThrows(DeviceException.class, () -> driver.reserve(MIB2));
            return;
        }
        long g = driver.granularity();
        long before = driver.freeBytes();

        long range = driver.reserve(8 * g);
        assertEquals(before, driver.freeBytes());
        assertTrue(driver.map(range, 2 * g));
        assertTrue(driver.map(range + 4 * g, g));
        assertEquals(before - 3 * g, driver.freeBytes());
        driver.unmap(range, g);
        assertEquals(before - 2 * g, driver.freeBytes());
        driver.unmap(range + g, g);
        driver.unmap(range + 4 * g, g);
        driver.release(range, 8 * g);

        assertEquals(before, driver.freeBytes());
    }

    @Test
    void aRangeMappedInPiecesIsUnmappedInOnePiece() {
        if (!mapsRanges()) {
            return;
        }
        long g = driver.granularity();
        long before = driver.freeBytes();
        long range = driver.reserve(4 * g);
        assertTrue(driver.map(range, g));
        assertTrue(driver.map(range + g, 2 * g));

        driver.unmap(range, 3 * g);

        assertEquals(before, driver.freeBytes());
        driver.release(range, 4 * g);
    }

    @Test
    void mappingMoreThanThereIsSaysNoAndMapsNothing() {
        if (!mapsRanges()) {
            return;
        }
        long g = driver.granularity();
        long tooMuch = (driver.totalBytes() / g + 1) * g;
        long before = driver.freeBytes();
        long range = driver.reserve(tooMuch);

        assertFalse(driver.map(range, tooMuch));

        assertEquals(before, driver.freeBytes());
        assertTrue(driver.map(range, g));
        driver.unmap(range, g);
        driver.release(range, tooMuch);
    }

    @Test
    void mappingTwiceOrOutsideAReservationIsRefused() {
        if (!mapsRanges()) {
            return;
        }
        long g = driver.granularity();
        long range = driver.reserve(2 * g);
        assertTrue(driver.map(range, g));

        assertThrows(DeviceException.class, () -> driver.map(range, g));
        assertThrows(DeviceException.class, () -> driver.map(range + g / 2, g));
        assertThrows(DeviceException.class, () -> driver.unmap(range + g, g));
        assertThrows(DeviceException.class, () -> driver.release(range, 2 * g));

        driver.unmap(range, g);
        driver.release(range, 2 * g);
        assertThrows(DeviceException.class, () -> driver.map(range, g));
    }

    // streams and events ---------------------------------------------------------------------------------------------

    @Test
    void aStreamIsNeverTheDefaultStreamNorAnotherOne() {
        long a = driver.createStream();
        long b = driver.createStream();

        assertNotEquals(0, a);
        assertNotEquals(a, b);
        driver.destroyStream(a);
        driver.destroyStream(b);
        assertThrows(DeviceException.class, () -> driver.destroyStream(0));
    }

    @Test
    void anEventIsCompleteBeforeItsFirstRecordAndAfterItsStreamWasWaitedFor() {
        long stream = driver.createStream();
        long event = driver.createEvent(false);
        assertNotEquals(0, event);
        assertTrue(driver.queryEvent(event));

        long address = driver.allocate(MIB2);
        driver.fill(address, (byte) 1, MIB2, stream);
        driver.recordEvent(event, stream);
        driver.synchronizeStream(stream);

        assertTrue(driver.queryEvent(event));
        assertTrue(driver.queryStream(stream));
        driver.destroyEvent(event);
        driver.destroyStream(stream);
    }

    @Test
    void elapsedTimeIsNeverNegativeAndNeedsTwoRecords() {
        long start = driver.createEvent(true);
        long end = driver.createEvent(true);
        assertThrows(DeviceException.class, () -> driver.elapsedMillis(start, end));

        driver.recordEvent(start, 0);
        driver.recordEvent(end, 0);
        driver.synchronizeEvent(end);

        assertTrue(driver.elapsedMillis(start, end) >= 0);
    }

    // copies ---------------------------------------------------------------------------------------------------------

    private static byte[] pattern(int bytes, int seed) {
        byte[] p = new byte[bytes];
        new Random(seed).nextBytes(p);
        return p;
    }

    private byte[] read(long address, int bytes) {
        MemorySegment host = MemorySegment.ofArray(new byte[bytes]);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment staging = arena.allocate(bytes);
            driver.copyToHost(staging, address, 0);
            host.copyFrom(staging);
        }
        return host.toArray(ValueLayout.JAVA_BYTE);
    }

    private void write(long address, byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            driver.copyToDevice(address, arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes), 0);
        }
    }

    @Test
    void whatIsWrittenIsReadBackOrTheDeviceSaysThatItHasNoValues() {
        long address = driver.allocate(100_003);
        byte[] data = pattern(100_003, 1);
        write(address, data);
        if (!hasValues()) {
            assertTrue(assertThrows(DeviceException.class, () -> read(address, 8)).getMessage().contains("no values"));
            return;
        }

        assertArrayEquals(data, read(address, data.length));
    }

    @Test
    void pageableMemoryMayChangeAsSoonAsTheCopyReturns() {
        if (!hasValues()) {
            return;
        }
        long address = driver.allocate(4096);
        byte[] data = pattern(4096, 2);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment source = arena.allocateFrom(ValueLayout.JAVA_BYTE, data);
            driver.copyToDevice(address, source, 0);
            source.fill((byte) 0);
        }

        assertArrayEquals(data, read(address, 4096));
    }

    @Test
    void aFillAndACopyOnTheDeviceRunInOrder() {
        if (!hasValues()) {
            return;
        }
        long a = driver.allocate(1024);
        long b = driver.allocate(1024);
        driver.fill(a, (byte) 7, 1024, 0);
        driver.copyOnDevice(b, a, 1024, 0);
        driver.fill(a, (byte) 9, 512, 0);

        byte[] fromA = read(a, 1024);
        byte[] fromB = read(b, 1024);

        assertEquals(9, fromA[0]);
        assertEquals(7, fromA[512]);
        assertEquals(7, fromB[0]);
    }

    @Test
    void workOfAnotherStreamIsSeenAfterItsEvent() {
        if (!hasValues()) {
            return;
        }
        long stream = driver.createStream();
        long event = driver.createEvent(false);
        long a = driver.allocate(MIB2);
        long b = driver.allocate(MIB2);
        driver.fill(a, (byte) 5, MIB2, stream);
        driver.recordEvent(event, stream);
        driver.waitEvent(0, event);
        driver.copyOnDevice(b, a, MIB2, 0);

        assertEquals(5, read(b, (int) MIB2)[(int) MIB2 - 1]);
    }

    @Test
    void pinnedMemoryIsOrdinaryMemoryToTheHost() {
        MemorySegment pinned = driver.allocatePinned(4096);
        assertEquals(4096, pinned.byteSize());
        if (hasValues()) {
            byte[] data = pattern(4096, 3);
            MemorySegment.copy(data, 0, pinned, ValueLayout.JAVA_BYTE, 0, data.length);
            long address = driver.allocate(4096);
            driver.copyToDevice(address, pinned, 0);
            driver.synchronize();
            pinned.fill((byte) 0);
            driver.copyToHost(pinned, address, 0);
            driver.synchronizeStream(0);

            assertArrayEquals(data, pinned.toArray(ValueLayout.JAVA_BYTE));
        }
        driver.freePinned(pinned);
        assertThrows(DeviceException.class, () -> driver.freePinned(pinned));
    }

    @Test
    void everyAllocationKeepsItsContentsWhileNeighboursComeAndGo() {
        if (!hasValues()) {
            return;
        }
        List<Long> kept = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            long keep = driver.allocate(65_536);
            long drop = driver.allocate(65_536);
            driver.fill(keep, (byte) (i + 1), 65_536, 0);
            driver.fill(drop, (byte) 99, 65_536, 0);
            driver.free(drop);
            kept.add(keep);
        }
        for (int i = 0; i < 10; i++) {
            byte[] found = read(kept.get(i), 65_536);
            assertEquals(i + 1, found[0]);
            assertEquals(i + 1, found[65_535]);
        }
    }
}
