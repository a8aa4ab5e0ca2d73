package io.vramlab.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Devices by name: what the texts choose, and what a wrong one says. */
class DeviceTest {

    @AfterEach
    void backToTheDefault() {
        Device.select("sim:8GiB");
    }

    @Test
    void theDefaultIsASimulatedGpuOfEightGibibytes() {
        assumeFalse(Device.realForSimulated(), "a real GPU stands in for the simulated one");
        Device d = Device.select("sim");

        assertSame(d, Device.current());
        assertEquals("cuda:0", d.name());
        assertEquals(Device.Kind.SIMULATED, d.kind());
        assertEquals(8L << 30, d.driver().totalBytes());
        assertEquals(8L << 30, d.driver().freeBytes());
    }

    @Test
    void aGpusNameGivesItsFigures() {
        assumeFalse(Device.realForSimulated(), "a real GPU stands in for the simulated one");
        Device d = Device.select("RTX-3060-12GB");

        assertEquals(12L << 30, d.properties().totalBytes());
        assertEquals(28, d.properties().multiProcessorCount());
        assertEquals(1536, d.properties().maxThreadsPerMultiProcessor());
        assertEquals("Simulated RTX-3060-12GB", d.properties().name());
    }

    @Test
    void aNameCanBeGivenAnotherSize() {
        assertEquals(81L << 30, Device.select("h100-80gb:81GiB").properties().totalBytes());
    }

    @Test
    void severalDevicesAreNumberedInOrder() {
        Device.select("sim:8GiB,sim:2GiB");

        assertEquals(2, Device.all().size());
        assertEquals("cuda:1", Device.cuda(1).name());
        assertEquals(2L << 30, Device.cuda(1).driver().totalBytes());
        assertSame(Device.cuda(0), Device.current());
    }

    @Test
    void aDeviceThatIsNotThereIsRefusedWithTheListOfThoseThatAre() {
        Device.select("sim");

        String message = assertThrows(DeviceException.class, () -> Device.cuda(3)).getMessage();

        assertTrue(message.contains("cuda:3") && message.contains("[cuda:0]"), message);
    }

    @Test
    void aWrongTextChangesNothingAndNamesWhatIsKnown() {
        Device before = Device.current();

        String message = assertThrows(DeviceException.class, () -> Device.select("sim:GTX-9999")).getMessage();

        assertSame(before, Device.current());
        assertTrue(message.contains("GTX-9999") && message.contains("H100-80GB"), message);
    }

    @Test
    void anAddedDeviceTakesTheLowestFreeIndexAndGivesItBackWhenClosed() {
        Device.select("sim");
        try (Device added = Device.simulated("1GiB")) {
            assertEquals(1, added.index());
            assertNotSame(added, Device.current());
            assertEquals(2, Device.all().size());
        }
        assertEquals(1, Device.all().size());
        try (Device again = Device.shapesOnly("1TiB")) {
            assertEquals(1, again.index());
            assertTrue(again.isCuda());
            assertNotEquals(0, again.driver().allocate(900L << 30));
        }
    }

    @Test
    void theThirtyThirdStreamIsTheFirstAgain() {
        Device d = Device.select("sim");
        Stream first = new Stream(d);
        Set<Long> handles = new HashSet<>(Set.of(first.handle()));
        for (int i = 1; i < 32; i++) {
            handles.add(new Stream(d).handle());
        }

        assertEquals(32, handles.size());
        assertEquals(first, new Stream(d));
    }

    @Test
    void aStreamIsCurrentInsideItsRegionAndTheOneBeforeAfterwards() {
        Device d = Device.select("sim");
        Stream a = new Stream(d);
        Stream b = new Stream(d);
        try (Stream.Use outer = a.use()) {
            assertEquals(a, Stream.current(d));
            try (Stream.Use inner = b.use()) {
                assertEquals(b, Stream.current(d));
            }
            assertEquals(a, Stream.current(d));
        }
        assertEquals(0, Stream.current(d).handle());
    }

    @Test
    void anEventWithoutTimingCannotBeAskedForTime() {
        Device d = Device.select("sim");
        try (Event a = new Event(d, true); Event b = new Event(d); Event c = new Event(d, true)) {
            a.record();
            b.record();
            c.record();

            assertThrows(DeviceException.class, () -> a.elapsedTime(b));
            assertTrue(a.elapsedTime(c) >= 0);
        }
    }

    @Test
    void sizesAreReadWithBothKindsOfUnits() {
        assertEquals(8L << 30, ByteSize.parse("8GiB").orElseThrow());
        assertEquals(8_000_000_000L, ByteSize.parse("8 GB").orElseThrow());
        assertEquals(1536, ByteSize.parse("1.5KiB").orElseThrow());
        assertEquals(512, ByteSize.parse("512").orElseThrow());
        assertTrue(ByteSize.parse("0GiB").isEmpty());
        assertTrue(ByteSize.parse("-1GiB").isEmpty());
        assertTrue(ByteSize.parse("much").isEmpty());
        assertTrue(ByteSize.parse("99999999999TiB").isEmpty());
    }

    @Test
    void aGpuIsKnownByTheBeginningOfItsNameWhereThatIsOne() {
        for (String name : List.of("H100", "h100-80gb", "NVIDIA H100", "H100 80GB")) {
            assertEquals("H100-80GB", DeviceProfile.find(name).orElseThrow().name(), name);
        }
        assertEquals("RTX-4090", DeviceProfile.find("GeForce RTX 4090").orElseThrow().name());
        assertEquals("RTX-3060-12GB", DeviceProfile.find("rtx3060").orElseThrow().name());
        assertEquals("H200", DeviceProfile.find("H200-141GB").orElseThrow().name());
        for (String name : List.of("A100", "V100", "RTX", "", "8GiB", "H")) {
            assertTrue(DeviceProfile.find(name).isEmpty(), name);
        }
    }
}
