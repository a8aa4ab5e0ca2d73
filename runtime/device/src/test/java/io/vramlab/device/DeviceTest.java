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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

        assertEquals(12_622_168_064L, d.properties().totalBytes()); // 11.76 GiB, as CUDA reports it
        assertEquals(28, d.properties().multiProcessorCount());
        assertEquals(1536, d.properties().maxThreadsPerMultiProcessor());
        assertEquals("Simulated RTX-3060-12GB", d.properties().name());
    }

    @Test
    void aNameCanBeGivenAnotherSize() {
        // less than any real GPU has, which has no more than it has
        assertEquals(7L << 30, Device.select("h100-80gb:7GiB").properties().totalBytes());
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
        assertEquals("RTX-4060-8GB", DeviceProfile.find("RTX 4060").orElseThrow().name());
        for (String name : List.of("A100", "V100", "RTX", "", "8GiB", "H", "4090", "RTX 4070 SUPER",
                "RTX 4090 Laptop GPU")) {
            assertTrue(DeviceProfile.find(name).isEmpty(), name);
        }
    }

    @Test
    void aNameOfSeveralGpusAndANumberWithoutUnitAreToldWithWhatTheyMayMean() {
        for (String[] each : new String[][]{{"A100", "A100-40GB or A100-80GB"}, {"4090", "RTX-4090"},
                {"3060", "RTX-3060-12GB"}, {"v100", "V100-16GB or V100-32GB"}}) {
            String told = assertThrows(DeviceException.class, () -> DeviceProfile.of(each[0])).getMessage();
            assertTrue(told.endsWith("Write " + each[1] + "."), told);
        }
        assertEquals(4091, DeviceProfile.of("4091").totalBytes());
    }

    @ParameterizedTest
    @CsvSource({"rtx 4080,RTX-4080", "NVIDIA GeForce RTX 3080,RTX-3080-10GB", "RTX 6000 Ada Generation,RTX-6000-Ada",
            "A6000,RTX-A6000", "NVIDIA RTX A4000,RTX-A4000", "A40,A40", "A10,A10", "RTX 4070,RTX-4070",
            "rtx4070ti,RTX-4070-Ti", "RTX 4060 Ti,RTX-4060-Ti-16GB", "GeForce RTX 2080 Ti,RTX-2080-Ti",
            "NVIDIA RTX PRO 6000 Blackwell Workstation Edition,RTX-PRO-6000", "H20,H20-96GB", "GH200,GH200-96GB",
            "NVIDIA H100 NVL,H100-NVL-94GB", "H100 PCIe,H100-PCIE-80GB", "H100 SXM 80GB,H100-80GB",
            "NVIDIA A100 80GB PCIe,A100-80GB", "A100-PCIE-40GB,A100-40GB", "NVIDIA A100-SXM4-80GB,A100-80GB",
            "Tesla V100-SXM2-16GB,V100-16GB", "NVIDIA H100 80GB HBM3,H100-80GB"})
    void aGpuIsFoundAsPeopleAndCudaWriteIt(String written, String name) {
        assertEquals(name, DeviceProfile.find(written).orElseThrow().name());
    }

    /** 24 GiB and 80 GiB are what they are sold as; CUDA reports 21.96 of an L4 and 79.18 of an H100. */
    @Test
    void aGpuHasTheMemoryThatCudaReportsAndItsNominalOneIsWrittenBehindTheName() {
        assertEquals(23_580_639_232L, DeviceProfile.of("L4").totalBytes());
        assertEquals(85_017_493_504L, DeviceProfile.of("H100").totalBytes());
        assertEquals(24L << 30, DeviceProfile.of("L4:24GiB").totalBytes());
        assertEquals(58, DeviceProfile.of("L4:24GiB").multiProcessorCount());
        assertEquals(24L << 30, DeviceProfile.of("24GiB").totalBytes());
    }
}
