package io.vramlab.device.internal.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.device.HostMemoryException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class HostCeilingTest {

    private static final long MIB = 1 << 20;

    private static SimulatedDriver driver(HostCeiling ceiling) {
        DeviceProperties properties = DeviceProfile.of("8GiB");
        return new SimulatedDriver(properties, host -> null, ceiling);
    }

    @Test
    void whatIsAllocatedAndNotTouchedCostsNothing() {
        HostCeiling ceiling = new HostCeiling(OptionalLong.of(4 * MIB));
        try (SimulatedDriver gpu = driver(ceiling)) {
            long address = gpu.allocate(4096 * MIB);
            gpu.at(address, 4 * MIB);
            gpu.at(address + MIB, MIB); // those pages are counted already
            HostMemoryException refused = assertThrows(HostMemoryException.class, () -> gpu.at(address, 5 * MIB));
            for (String told : new String[]{"The host refused: limit 4.00 MiB (4,194,304 bytes)",
                    "device size 8,192.00 MiB (8,589,934,592 bytes)"}) {
                assertTrue(refused.getMessage().contains(told), refused::getMessage);
            }
            gpu.at(address, 4 * MIB); // and the device goes on
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // pages of a file cannot be given back
    void zerosOfAnySizeCostNothingUntilTheyAreWritten() {
        HostCeiling ceiling = new HostCeiling(OptionalLong.of(4 * MIB));
        try (SimulatedDriver gpu = driver(ceiling)) {
            long address = gpu.allocate(4096 * MIB);
            gpu.fill(address, (byte) 0, 4096 * MIB, 0);
            gpu.synchronize();
            gpu.at(address + 2048 * MIB, 4 * MIB); // all of the limit is left
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void whatWasWrittenInTheMiddleOfZerosIsGivenBackAndWhatLiesBesideThemStays() {
        HostCeiling ceiling = new HostCeiling(OptionalLong.of(20 * MIB));
        try (SimulatedDriver gpu = driver(ceiling)) {
            long address = gpu.allocate(20 * MIB);
            gpu.at(address, 20 * MIB).fill((byte) 7);
            gpu.fill(address + 1000, (byte) 0, 20 * MIB - 3000, 0);
            gpu.synchronize();
            // of 20 MiB the first and the last 64 KiB are still written; the rest may be touched elsewhere
            long elsewhere = gpu.allocate(20 * MIB);
            gpu.at(elsewhere, 20 * MIB - 2 * 64 * 1024);
            gpu.free(elsewhere);
            MemorySegment all = gpu.at(address, 20 * MIB);
            for (long at = 0; at < 20 * MIB; at++) {
                boolean beside = at < 1000 || at >= 20 * MIB - 2000;
                assertEquals(beside ? 7 : 0, all.get(ValueLayout.JAVA_BYTE, at));
            }
        }
    }

    @Test
    void whatIsFreedOnTheDeviceMayBeTouchedAgainAnywhere() {
        HostCeiling ceiling = new HostCeiling(OptionalLong.of(4 * MIB));
        try (SimulatedDriver gpu = driver(ceiling); SimulatedDriver other = driver(ceiling)) {
            long address = gpu.allocate(4 * MIB);
            gpu.at(address, 4 * MIB);
            long elsewhere = other.allocate(4 * MIB);
            assertThrows(HostMemoryException.class, () -> other.at(elsewhere, 1));
            gpu.free(address);
            other.at(elsewhere, 4 * MIB);
            other.close();
            long again = gpu.allocate(4 * MIB);
            gpu.at(again, 4 * MIB);
        }
    }

    @Test
    void pagesAreCountedAsAPlainTableOfThemWould() {
        Random random = new Random(17);
        TouchedPages pages = new TouchedPages();
        BitSet table = new BitSet();
        for (int i = 0; i < 5_000; i++) {
            int from = random.nextInt(64 * 4096);
            int bytes = 1 + random.nextInt(8 * 4096);
            int first = from / 4096;
            int end = (from + bytes + 4095) / 4096;
            if (random.nextInt(3) == 0) {
                int inside = (from + 4095) / 4096;
                int insideEnd = Math.max(inside, (from + bytes) / 4096);
                assertEquals(4096L * table.get(inside, insideEnd).cardinality(), pages.remove(from, bytes));
                table.clear(inside, insideEnd);
            } else {
                assertEquals(4096L * (end - first - table.get(first, end).cardinality()), pages.untouched(from, bytes));
                pages.add(from, bytes);
                table.set(first, end);
            }
        }
        assertEquals(4096L * table.cardinality(), pages.clear());
    }

    @Test
    void theLimitIsTheAdministratorsElseWhatTheControlGroupLeavesElseNone() {
        assertEquals(OptionalLong.of(512 * MIB), HostCeiling.limit(Optional.of("512MiB"), OptionalLong.empty(), 0));
        // 1 GiB less a heap of 256 MiB and 256 MiB for the JVM
        assertEquals(OptionalLong.of(512 * MIB),
                HostCeiling.limit(Optional.empty(), OptionalLong.of(1024 * MIB), 256 * MIB));
        assertEquals(OptionalLong.of(64 * MIB),
                HostCeiling.limit(Optional.empty(), OptionalLong.of(300 * MIB), 256 * MIB));
        assertEquals(OptionalLong.of(64 * MIB), HostCeiling.limit(Optional.of("much"), OptionalLong.empty(), 0));
        assertEquals(OptionalLong.empty(), HostCeiling.limit(Optional.empty(), OptionalLong.empty(), 256 * MIB));
    }

    @Test
    void theLeastLimitOfTheControlGroupAndThoseAroundItHolds(@TempDir Path folder) throws IOException {
        Path own = folder.resolve("cgroup");
        Path inner = Files.createDirectories(folder.resolve("fs/hub/student"));
        Files.writeString(folder.resolve("fs/hub/memory.max"), "1073741824\n");
        Files.writeString(inner.resolve("memory.max"), "max\n");
        Files.writeString(own, "0::/hub/student\n");
        assertEquals(OptionalLong.of(1024 * MIB), ControlGroup.memoryLimit(own, folder.resolve("fs")));

        Path first = Files.createDirectories(folder.resolve("fs/memory"));
        Files.writeString(first.resolve("memory.limit_in_bytes"), "9223372036854771712\n");
        Files.writeString(own, "4:memory:/docker/of-the-host\n1:cpu:/\n");
        assertEquals(OptionalLong.empty(), ControlGroup.memoryLimit(own, folder.resolve("fs")));
        Files.writeString(first.resolve("memory.limit_in_bytes"), "536870912\n");
        assertEquals(OptionalLong.of(512 * MIB), ControlGroup.memoryLimit(own, folder.resolve("fs")));
        assertEquals(OptionalLong.empty(), ControlGroup.memoryLimit(folder.resolve("none"), folder));
    }
}
