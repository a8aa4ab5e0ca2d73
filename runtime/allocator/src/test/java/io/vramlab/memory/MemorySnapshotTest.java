package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemorySnapshotTest {

    private static final Set<String> SEGMENT_KEYS = Set.of("device", "address", "total_size", "allocated_size",
            "active_size", "requested_size", "stream", "segment_type", "segment_pool_id", "is_expandable", "frames",
            "blocks");
    private static final Set<String> BLOCK_KEYS = Set.of("address", "size", "requested_size", "state", "frames");
    private static final Set<String> ENTRY_KEYS = Set.of("action", "addr", "size", "stream", "time_us",
            "compile_context", "user_metadata");

    private static MemorySnapshot recorded() throws IOException, URISyntaxException {
        return MemorySnapshot.read(Path.of(MemorySnapshotTest.class.getResource("/oracle/snapshot.pickle").toURI()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"copy.pickle", "copy.pickle.gz"})
    void aSnapshotOfPyTorchReadAndWrittenIsEqualAsData(final String name, @TempDir final Path folder)
            throws IOException, URISyntaxException {
        final MemorySnapshot snapshot = recorded();

        snapshot.write(folder.resolve(name));

        assertEquals(snapshot.data(), MemorySnapshot.read(folder.resolve(name)).data());
    }

    @Test
    void asJsonItHasTheSameSegmentsAndHistory(@TempDir final Path folder) throws IOException, URISyntaxException {
        final MemorySnapshot snapshot = recorded();

        snapshot.write(folder.resolve("copy.json"));

        final MemorySnapshot copy = MemorySnapshot.read(folder.resolve("copy.json"));
        assertEquals(snapshot.segments(), copy.segments());
        assertEquals(snapshot.traces(), copy.traces());
    }

    @Test
    void theSegmentsOfOneAllocatorAreOnTheDeviceOfItsHistory() {
        final CachingAllocator second = (CachingAllocator) Allocators
                .of(List.of(Device.simulated("1GiB"), Device.simulated("1GiB")).getLast());
        second.recordHistory(HistoryOptions.withoutStacks());
        second.allocate(512, 0, 0);

        final MemorySnapshot snapshot = MemorySnapshot.of(second);

        assertEquals(List.of(0), snapshot.devicesWithHistory());
        assertEquals(List.of(0), snapshot.segments().stream().map(SegmentInfo::device).toList());
    }

    @Test
    void pyTorchsSnapshotShowsWhatItsRecorderDid() throws IOException, URISyntaxException {
        final MemorySnapshot snapshot = recorded();

        // reports.py left 8 segments and 673 events behind; the 600 MiB allocation of its line 20 is alone in its segment
        assertEquals(8, snapshot.segments().size());
        assertEquals(673, snapshot.traces().get(0).size());
        final SegmentInfo largest = snapshot.segments().get(0);
        assertEquals(600L << 20, largest.totalSize());
        assertEquals(List.of(new Frame("reports.py", 20, "<module>")), CallSites.frames(largest.site()));
    }

    @Test
    void aSnapshotTakenHereHasEveryKeyThatPyTorchsHas(@TempDir final Path folder) throws IOException {
        final CachingAllocator allocator = new CachingAllocator(0, new PlannedMemory(64L << 20),
                StreamEvents.IMMEDIATE);
        allocator.recordHistory(HistoryOptions.withoutStacks());
        final long first = allocator.allocate(1000, 0);
        allocator.allocate(3 << 20, 0);
        allocator.free(first);

        final MemorySnapshot taken = MemorySnapshot.of(allocator);
        taken.write(folder.resolve("taken.pickle"));
        final Map<String, Object> data = MemorySnapshot.read(folder.resolve("taken.pickle")).data();

        assertEquals(Set.of("segments", "device_traces", "allocator_settings", "external_annotations"), data.keySet());
        final Map<?, ?> segment = (Map<?, ?>) ((List<?>) data.get("segments")).get(0);
        assertEquals(SEGMENT_KEYS, segment.keySet());
        assertEquals(BLOCK_KEYS, ((Map<?, ?>) ((List<?>) segment.get("blocks")).get(0)).keySet());
        final List<?> trace = (List<?>) ((List<?>) data.get("device_traces")).get(0);
        // segment_alloc, alloc, segment_alloc, alloc, free_requested, free_completed
        assertEquals(6, trace.size());
        assertEquals(ENTRY_KEYS, ((Map<?, ?>) trace.get(0)).keySet());
        assertEquals(16, ((Map<?, ?>) ((Map<?, ?>) data.get("allocator_settings")).get("roundup_power2_divisions"))
                .size());
        assertEquals(TraceAction.SNAPSHOT, allocator.history().getLast().action());
    }

    @Test
    void whatIsWrittenUsesOnlyOpcodesThatMemoryVizReads() throws IOException, URISyntaxException {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        recorded().writePickle(out);

        assertTrue(new VizOpcodes(out.toByteArray()).areAllReadable());
    }
}
