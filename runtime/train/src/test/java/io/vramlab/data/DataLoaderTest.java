package io.vramlab.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.PinnedMemory;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import io.vramlab.tensor.type.TensorException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataLoaderTest {

    private final Device before = Device.current();
    private final Device device = Device.simulated("64MiB");
    private Scope scope;
    private TensorDataset dataset;

    @BeforeEach
    void makeData() {
        Device.set(device);
        scope = Scope.open();
        TensorOptions host = TensorOptions.on(Device.cpu()).dtype(DType.INT64);
        dataset = new TensorDataset(Tensor.arange(host, 0, 10, 1), Tensor.arange(host, 0, 20, 1).view(10, 2));
    }

    @AfterEach
    void giveBack() {
        scope.close();
        Device.set(before);
        device.close();
    }

    private static List<Long> seen(DataLoader loader) {
        List<Long> seen = new ArrayList<>();
        for (Batch batch : loader) {
            long[] values = batch.get(0).toLongArray();
            Arrays.stream(values).forEach(seen::add);
            long[] rows = batch.get(1).toLongArray();
            for (int i = 0; i < values.length; i++) {
                assertEquals(2 * values[i], rows[2 * i], "a sample's tensors stay together");
            }
        }
        return seen;
    }

    @Test
    void batchesComeInOrderAndTheLastMayBeShort() {
        DataLoader loader = new DataLoader(dataset, 4);
        assertEquals(3, loader.size());
        assertEquals(LongStream.range(0, 10).boxed().toList(), seen(loader));
    }

    @Test
    void theShortBatchCanBeLeftOut() {
        DataLoader loader = new DataLoader(dataset, 4).dropLast(true);
        assertEquals(2, loader.size());
        assertEquals(8, seen(loader).size());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void shufflingFollowsTheSeedAlsoWithWorkers(int workers) {
        DataLoader loader = new DataLoader(dataset, 3).shuffle(true).numWorkers(workers);
        Tensor.manualSeed(7);
        List<Long> first = seen(loader);
        List<Long> second = seen(loader);
        Tensor.manualSeed(7);
        assertEquals(first, seen(loader));
        assertNotEquals(first, second);
        assertEquals(LongStream.range(0, 10).boxed().toList(), first.stream().sorted().toList());
    }

    @Test
    void batchesOnTheHostCostNoDeviceMemory() {
        seen(new DataLoader(dataset, 2).numWorkers(2).prefetchFactor(3));
        assertEquals(0, Allocators.of(device).stats().peakAllocatedBytes());
    }

    @Test
    void pinnedBatchesGoToTheDeviceWithoutWaiting() {
        for (Batch batch : new DataLoader(dataset, 5).pinMemory(true)) {
            assertTrue(batch.get(0).isPinned());
            try (Tensor moved = batch.get(0).cuda(true)) {
                assertArrayEquals(batch.get(0).toLongArray(), moved.toLongArray());
            }
            batch.close();
        }
        // blocks of 5 and 10 int64 are rounded to 64 and 128 bytes and stay in the host's cache
        assertEquals(192, PinnedMemory.of(device).stats().get("allocated_bytes.current"));
    }

    @Test
    void aPinnedBufferOverwrittenTooEarlySpoilsACopyThatIsStillUnderWay() {
        assumeTrue(device.simulation().isPresent(), "only a simulated GPU can be told to copy late");
        device.simulation().orElseThrow().deferPinnedCopies(true);
        Tensor source = Tensor.ones(TensorOptions.on(Device.cpu()), 4).pinMemory();
        Tensor late = source.cuda(true);
        Tensor waited = source.cuda(false);
        source.fill_(7);
        // the first copy had to be done before the second, which was waited for: both hold the old value
        assertEquals(1, late.toFloatArray()[0]);
        assertEquals(1, waited.toFloatArray()[0]);
        Tensor spoiled = source.cuda(true);
        source.fill_(9);
        assertEquals(9, spoiled.toFloatArray()[0]);
    }

    @Test
    void onlyHostTensorsArePinned() {
        Tensor there = Tensor.ones(2);
        assertTrue(assertThrows(TensorException.class, there::pinMemory).getMessage()
                .contains("only dense CPU tensors can be pinned"));
    }

    @Test
    void aLoaderTellsWhatWentWrongInAWorker() {
        Dataset broken = new Dataset() {
            @Override
            public long size() {
                return 3;
            }

            @Override
            public List<Tensor> get(long index) {
                throw new IllegalStateException("sample " + index + " is damaged");
            }
        };
        assertTrue(assertThrows(IllegalStateException.class, () -> seen(new DataLoader(broken, 1).numWorkers(1)))
                .getMessage().contains("is damaged"));
    }

    @Test
    void aLoopLeftEarlyLeavesNoThreadBehind() throws InterruptedException {
        for (Batch batch : new DataLoader(dataset, 1).numWorkers(2)) {
            batch.close();
            break;
        }
        boolean alive = true;
        for (int i = 0; i < 100 && alive; i++) {
            Thread.sleep(100);
            alive = Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(t -> t.getName().startsWith("data-loader-"));
        }
        assertFalse(alive);
    }

    @Test
    void misuseIsRefusedInOneLine() {
        assertThrows(IllegalArgumentException.class, () -> new DataLoader(dataset, 0));
        assertThrows(IllegalArgumentException.class, () -> new DataLoader(dataset, 1).numWorkers(-1));
        assertThrows(IllegalArgumentException.class, () -> new DataLoader(dataset, 1).prefetchFactor(0));
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> new TensorDataset(Tensor.ones(2), Tensor.ones(3))).getMessage().contains("Size mismatch"));
    }
}
