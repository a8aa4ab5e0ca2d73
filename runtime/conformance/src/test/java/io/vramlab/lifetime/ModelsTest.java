package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whole models with convolutions and recurrence, ported line by line from models.py, models8.py and models18.py: the allocator's figures at its marks. */
@Tag("long")
class ModelsTest {

    /** Requested now and at the peak, allocations alive, and made so far. */
    private static final int[] REQUESTED = {1, 3, 6, 8};
    private static final int[] ALL = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    private static final int PEAK = 2;
    private final Device before = Device.current();
    private final Workspaces.Mode modeBefore = Workspaces.mode();

    @BeforeEach
    void count() {
        Lifetimes.count(true);
    }

    @AfterEach
    void giveBack() {
        Lifetimes.count(false);
        Workspaces.mode(modeBefore);
        Cuda.setAllocatorSettings("expandable_segments:False");
        Device.set(before);
    }

    @Test
    void whatIsRequestedAndHowOftenIsEqualAtEveryMark() throws Exception {
        assertEquals(Map.of(), differences("pure", REQUESTED));
        assertEquals(Map.of(), differences("default", REQUESTED));
    }

    @Test
    void underExpandableSegmentsAllFiguresAreEqual() throws Exception {
        assertEquals(Map.of(), differences("expandable", ALL));
    }

    @Test
    void peaksAreWithinAHundredth() throws Exception {
        for (String model : RecordedModels.names()) {
            JsonArray recorded = RecordedModels.recording(model, "pure");
            List<ModelMarks.Mark> marks = marks(model, "pure");
            for (int i = 0; i < marks.size(); i++) {
                long theirs = recorded.get(i).getAsJsonArray().get(PEAK + 1).getAsLong();
                long ours = marks.get(i).figures().get(PEAK);
                assertTrue(Math.abs(theirs - ours) <= theirs / 100,
                        model + " at " + marks.get(i).name() + ": " + ours + ", recorded " + theirs);
            }
        }
    }

    @Test
    void withChannelsSideBySideWhatIsRequestedAndHowOftenIsEqual() throws Exception {
        assertEquals(Map.of(), differences(RecordedModels.withChannelsLast(), "pure", REQUESTED));
    }

    private static Map<String, String> differences(String mode, int[] figures) throws Exception {
        return differences(RecordedModels.names(), mode, figures);
    }

    private static Map<String, String> differences(Collection<String> models, String mode, int[] figures)
            throws Exception {
        Map<String, String> differences = new TreeMap<>();
        for (String model : models) {
            String told = RecordedModels.differences(model, mode, marks(model, mode), figures);
            if (!told.isEmpty()) {
                differences.put(model, told);
            }
        }
        return differences;
    }

    private static List<ModelMarks.Mark> marks(String model, String mode) throws Exception {
        try (Device device = Device.shapesOnly("H200")) {
            return RecordedModels.marks(model, mode, device);
        }
    }
}
