package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.kernel.LiveNotebook;
import io.vramlab.memory.BlockInfo;
import io.vramlab.memory.BlockState;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.LiveTensors;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Whatever cells do, what the allocator has handed out is what someone holds, block by block, and nothing is left when
 * nobody holds anything. {@code -Dvramlab.random.cells=20000} makes it long.
 */
class RandomCellsTest {

    private static final int CELLS = Integer.getInteger("vramlab.random.cells", 80);
    private static final long SEED = Long.getLong("vramlab.random.seed", 1);
    private static final int BETWEEN_CHECKS = 20;
    private static final int PATIENCE_MINUTES = 10;
    private static final Path COUNTS = Path.of("target", "random-cells.txt");

    @Test
    void whatIsAllocatedIsWhatIsHeldAndInTheEndNothing() throws Exception {
        try (LiveNotebook notebook = new LiveNotebook()) {
            notebook.patience(PATIENCE_MINUTES);
            notebook.ok("%device 1GiB");
            notebook.ok(RandomCells.BEGIN);
            RandomCells cells = new RandomCells(SEED);
            int failed = 0;
            long[] heldAndBlocks = {0, 0};
            for (int i = 1; i <= CELLS; i++) {
                String cell = cells.next();
                failed += notebook.run(cell).error() == null ? 0 : 1;
                if (i % BETWEEN_CHECKS == 0) {
                    notebook.ok("%gc");
                    check("seed " + SEED + ", after " + i + " cells, the last\n" + cell, heldAndBlocks);
                    count(i, failed, heldAndBlocks);
                }
            }
            assertTrue(failed > CELLS / 50 && failed < CELLS / 2, failed + " cells failed");
            notebook.ok(RandomCells.END);
            notebook.run("%reset");
            // results and what failed cells left behind go with the cells that follow
            notebook.ok("1 + 1;");
            notebook.ok("%gc");
            assertEquals("{}", blocks().toString());
            assertEquals(0, Cuda.memoryAllocated());
        }
    }

    private static void count(int cells, int failed, long[] counts) throws IOException {
        Files.writeString(COUNTS, "%d cells, %d failed, %d checks of %d blocks; classes %d, heap %d MiB, threads %d%n"
                .formatted(cells, failed, counts[0], counts[1],
                        ManagementFactory.getClassLoadingMXBean().getLoadedClassCount(),
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20,
                        ManagementFactory.getThreadMXBean().getThreadCount()),
                StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** Every block that is handed out is a storage that someone holds, of the bytes that were asked for, and the reverse. */
    private static void check(String where, long[] counts) {
        Map<Long, Long> held = new TreeMap<>();
        for (LiveTensors.Entry each : LiveTensors.list()) {
            // other tests of this JVM left devices, and what they held, behind
            if (each.device().equals(Device.current())) {
                held.put(each.address(), each.bytes());
            }
        }
        Map<Long, Long> blocks = blocks();
        assertEquals(held.toString(), blocks.toString(), where);
        long requested = held.values().stream().mapToLong(each -> each).sum();
        assertEquals(requested, Cuda.memoryStats().get("requested_bytes.all.current"), where);
        counts[0]++;
        counts[1] += blocks.size();
    }

    private static Map<Long, Long> blocks() {
        Map<Long, Long> blocks = new TreeMap<>();
        long sizes = Cuda.snapshot().segments().stream().flatMap(each -> each.blocks().stream())
                .filter(each -> each.state() == BlockState.ACTIVE_ALLOCATED)
                .peek(each -> blocks.put(each.address(), each.requested())).mapToLong(BlockInfo::size).sum();
        assertEquals(sizes, Cuda.memoryAllocated());
        return blocks;
    }
}
