package io.vramlab.device.internal.sim;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceDriver;
import io.vramlab.device.DeviceDriverContractTest;
import io.vramlab.device.DeviceFault;
import io.vramlab.device.DeviceFaultException;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.PendingWork;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What a simulated GPU does beyond the contract: capacity to the byte, late errors, copies that run late. */
class SimulatedDriverTest extends DeviceDriverContractTest {

    private static final long GIB = 1L << 30;

    @Override
    protected DeviceDriver open() {
        return new SimulatedDriver(DeviceProfile.of("1GiB"));
    }

    private SimulatedDriver sim() {
        return (SimulatedDriver) driver();
    }

    private byte byteAt(long address) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(1);
            driver().copyToHost(one, address, 0);
            return one.get(ValueLayout.JAVA_BYTE, 0);
        }
    }

    // capacity -------------------------------------------------------------------------------------------------------

    @Test
    void theWholeCapacityCanBeAllocatedAndNotOneUnitMore() {
        long a = driver().allocate(GIB - 1024);
        assertNotEquals(0, a);
        assertEquals(0, driver().allocate(1025)); // counted as 1536
        assertNotEquals(0, driver().allocate(1024));
        assertEquals(0, driver().freeBytes());
        assertEquals(0, driver().allocate(1));
    }

    @Test
    void freeMemoryDoesNotFragmentBelowTheAllocator() {
        long[] a = new long[32];
        for (int i = 0; i < 32; i++) {
            a[i] = driver().allocate(32L << 20);
        }
        for (int i = 0; i < 32; i += 2) {
            driver().free(a[i]);
        }

        // half the device is free, in pieces: pages are mapped anywhere, so half the device can be had in one
        assertNotEquals(0, driver().allocate(GIB / 2));
    }

    @Test
    void whatIsOutsideTheAllocatorIsNotFree() {
        sim().setOutsideBytes(GIB / 2);

        assertEquals(GIB / 2, driver().freeBytes());
        assertEquals(0, driver().allocate(GIB / 2 + 1));
        assertNotEquals(0, driver().allocate(GIB / 2));
    }

    @Test
    void addressesAreTheSameFromRunToRun() {
        try (SimulatedDriver other = new SimulatedDriver(DeviceProfile.of("1GiB"))) {
            for (long mib : new long[]{2, 20, 20, 2, 64, 2}) {
                assertEquals(driver().allocate(mib << 20), other.allocate(mib << 20));
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void anEightyGigabyteDeviceTakesNoMemoryUntilTouchedAndGivesFreedPagesBack() throws Exception {
        try (SimulatedDriver big = new SimulatedDriver(DeviceProfile.of("80GiB"))) {
            long before = residentBytes();
            long a = big.allocate(80 * GIB);
            assertNotEquals(0, a);
            assertTrue(residentBytes() - before < 64L << 20);

            big.fill(a, (byte) 1, 512L << 20, 0);
            assertTrue(residentBytes() - before > 400L << 20);

            big.free(a);
            assertTrue(residentBytes() - before < 128L << 20);
        }
    }

    private static long residentBytes() throws Exception {
        return Files.readAllLines(Path.of("/proc/self/status")).stream().filter(l -> l.startsWith("VmRSS"))
                .mapToLong(l -> Long.parseLong(l.replaceAll("\\D", "")) << 10).sum();
    }

    // late errors ----------------------------------------------------------------------------------------------------

    @Test
    void aBadAddressIsToldOfByTheNextCallThatWaitsAndThenByEvery() {
        assertDoesNotThrow(() -> driver().fill(0x10, (byte) 1, 8, 0));
        assertDoesNotThrow(() -> driver().allocate(512), "nobody has waited yet");

        DeviceFaultException first = assertThrows(DeviceFaultException.class, () -> driver().synchronize());
        assertEquals(DeviceFault.ILLEGAL_ADDRESS, first.fault());
        assertTrue(first.getMessage().startsWith("CUDA error: an illegal memory access was encountered"));
        assertTrue(first.getMessage().contains("in fill"));

        assertThrows(DeviceFaultException.class, () -> driver().allocate(512));
        assertThrows(DeviceFaultException.class, () -> driver().fill(0x10, (byte) 1, 8, 0));
        assertThrows(DeviceFaultException.class, () -> driver().createStream());
        assertThrows(DeviceFaultException.class, () -> driver().synchronizeStream(0));
    }

    @Test
    void aCopyToTheHostAndAnEventQueryTellOfAFault() {
        long a = driver().allocate(512);
        long event = driver().createEvent(false);
        sim().fault(DeviceFault.DEVICE_SIDE_ASSERT, "index 10 is out of bounds for dimension 0 with size 5");

        assertThrows(DeviceFaultException.class, () -> byteAt(a));
        assertThrows(DeviceFaultException.class, () -> driver().queryEvent(event));
    }

    @Test
    void theLineThatLaunchedAFailedOperationIsToldAlsoWhenItRanLate() {
        sim().deferPinnedCopies(true);
        MemorySegment pinned = driver().allocatePinned(512);
        long a = driver().allocate(512);
        try {
            PendingWork.lines(() -> "In [7]:3");
            driver().copyToDevice(0x10, pinned, 0);
            PendingWork.lines(() -> "In [7]:4");
            driver().fill(a, (byte) 1, 512, 0);
            PendingWork.lines(() -> "In [8]:1");
            String message = assertThrows(DeviceFaultException.class, () -> driver().synchronize()).getMessage();

            assertTrue(message.contains("in copy to device at In [7]:3)."), message);
            assertTrue(message.contains(
                    "Launched since the last good wait: In [7]:3 (copy to device), In [7]:4 (fill). From now on"),
                    message);
        } finally {
            PendingWork.lines(null);
        }
    }

    @Test
    void whatWasLaunchedBeforeAGoodWaitIsNotAmongTheSuspects() {
        long a = driver().allocate(512);
        driver().fill(a, (byte) 1, 512, 0);
        driver().synchronizeStream(0);
        driver().copyOnDevice(a, 0x10, 16, 0);
        String message = assertThrows(DeviceFaultException.class, () -> driver().synchronize()).getMessage();

        assertTrue(message.contains("Launched since the last good wait: copy on device. From now on"), message);
    }

    @Test
    void nothingRunsAfterAFaultAndAResetBringsTheDeviceBackWithItsMemory() {
        long a = driver().allocate(512);
        driver().fill(a, (byte) 3, 512, 0);
        sim().fault(DeviceFault.DEVICE_SIDE_ASSERT, "index 10 is out of bounds");
        driver().fill(a, (byte) 4, 512, 0);
        assertThrows(DeviceFaultException.class, () -> driver().synchronize());

        sim().reset();

        assertEquals(3, byteAt(a));
        driver().free(a);
        assertEquals(GIB, driver().freeBytes());
    }

    @Test
    void withBlockingLaunchesTheGuiltyCallItselfThrows() {
        driver().setLaunchBlocking(true);

        long a = driver().allocate(512);
        driver().fill(a, (byte) 1, 512, 0);
        String message = assertThrows(DeviceFaultException.class, () -> driver().fill(0x10, (byte) 1, 8, 0))
                .getMessage();

        assertTrue(message.contains(" fill failed on "), message);
        assertTrue(message.contains("launches wait for their work, and everything before it went well."), message);
        assertFalse(message.contains("earlier") || message.contains("setLaunchBlocking"), message);
        assertTrue(assertThrows(DeviceFaultException.class, () -> driver().allocate(512)).getMessage()
                .contains("every call fails"));
    }

    @Test
    void aFaultFromBeforeLaunchesBlockedIsNotBlamedOnTheFirstThatDoes() {
        long a = driver().allocate(512);
        driver().fill(0x10, (byte) 1, 8, 0);
        driver().setLaunchBlocking(true);
        String message = assertThrows(DeviceFaultException.class, () -> driver().copyOnDevice(a, a, 16, 0))
                .getMessage();

        assertTrue(message.contains("Launched since the last good wait: fill, copy on device. From now on"), message);
    }

    @Test
    void memoryIsStillGivenBackAfterAFault() {
        long a = driver().allocate(512);
        sim().fault(DeviceFault.LAUNCH_FAILURE, "test");
        assertThrows(DeviceFaultException.class, () -> driver().synchronize());

        assertDoesNotThrow(() -> driver().free(a));
        assertEquals(GIB, driver().freeBytes());
    }

    // copies that run late -------------------------------------------------------------------------------------------

    @Test
    void aPinnedBufferOverwrittenBeforeItsCopyIsDoneCorruptsTheCopyEveryTime() {
        sim().deferPinnedCopies(true);
        long stream = driver().createStream();
        long a = driver().allocate(512);
        MemorySegment pinned = driver().allocatePinned(512);
        pinned.fill((byte) 1);

        driver().copyToDevice(a, pinned, stream);
        pinned.fill((byte) 2);
        driver().synchronizeStream(stream);

        assertEquals(2, byteAt(a));
    }

    @Test
    void anUndeferredPinnedCopyHasHappenedWhenItsCallReturns() {
        long a = driver().allocate(512);
        MemorySegment pinned = driver().allocatePinned(512);
        pinned.fill((byte) 1);

        driver().copyToDevice(a, pinned, 0);
        pinned.fill((byte) 2);

        assertEquals(1, byteAt(a));
    }

    @Test
    void laterWorkOfTheStreamWaitsBehindADeferredCopyAndOtherStreamsDoNot() {
        sim().deferPinnedCopies(true);
        long s = driver().createStream();
        long a = driver().allocate(512);
        long b = driver().allocate(512);
        MemorySegment pinned = driver().allocatePinned(512);
        pinned.fill((byte) 1);
        driver().fill(b, (byte) 0, 512, 0);
        driver().copyToDevice(a, pinned, s);
        driver().copyOnDevice(b, a, 512, s);

        assertEquals(0, byteAt(b), "the default stream does not wait for s");
        driver().synchronizeStream(s);
        assertEquals(1, byteAt(b));
    }

    @Test
    void aStreamThatWaitsForAnEventRunsWhatTheEventWaitsFor() {
        sim().deferPinnedCopies(true);
        long s = driver().createStream();
        long t = driver().createStream();
        long event = driver().createEvent(false);
        long a = driver().allocate(512);
        long b = driver().allocate(512);
        MemorySegment pinned = driver().allocatePinned(512);
        pinned.fill((byte) 1);
        driver().copyToDevice(a, pinned, s);
        driver().recordEvent(event, s);
        driver().waitEvent(t, event);
        driver().copyOnDevice(b, a, 512, t);

        driver().synchronizeStream(t);

        assertEquals(1, byteAt(b));
        assertTrue(driver().queryEvent(event));
    }

    @Test
    void pollingAnEventEndsAfterTheSameNumberOfPollsEveryTime() {
        sim().deferPinnedCopies(true);
        long s = driver().createStream();
        long event = driver().createEvent(false);
        long a = driver().allocate(512);
        MemorySegment pinned = driver().allocatePinned(512);
        driver().copyToDevice(a, pinned, s);
        driver().recordEvent(event, s);

        assertFalse(driver().queryEvent(event)); // runs the copy
        assertFalse(driver().queryEvent(event)); // runs the record
        assertTrue(driver().queryEvent(event));
    }

    @Test
    void freeingMemoryWaitsForTheCopyThatUsesIt() {
        sim().deferPinnedCopies(true);
        long s = driver().createStream();
        long a = driver().allocate(512);
        MemorySegment pinned = driver().allocatePinned(512);
        driver().copyToDevice(a, pinned, s);

        driver().free(a);

        assertDoesNotThrow(() -> driver().synchronize());
    }

    // several devices ------------------------------------------------------------------------------------------------

    @Test
    void aPeerCopyBringsTheOtherDevicesValues() {
        try (SimulatedDriver other = new SimulatedDriver(DeviceProfile.of("1GiB"))) {
            other.allocate(512);
            long theirs = other.allocate(512);
            long ours = driver().allocate(512);
            other.fill(theirs, (byte) 6, 512, 0);

            driver().copyFromPeer(ours, other, theirs, 512, 0);

            assertEquals(6, byteAt(ours));
        }
    }

    // kernels --------------------------------------------------------------------------------------------------------

    @Test
    void kernelsAreMadeOnceAndRunUnderTheStreamsRules() {
        int[] runs = {0};
        try (SimulatedDriver d = new SimulatedDriver(DeviceProfile.of("1GiB"),
                memory -> CountingKernels.over(memory, runs))) {
            assertSame(d.kernels(), d.kernels());
            d.kernels().arange(null, 0, 1, 0);
            assertEquals(1, runs[0]);

            d.deferPinnedCopies(true);
            d.copyToDevice(d.allocate(8), d.allocatePinned(8), 0);
            d.kernels().arange(null, 0, 1, 0);
            assertEquals(1, runs[0], "waits behind the copy");
            d.synchronize();
            assertEquals(2, runs[0]);
        }
    }
}
