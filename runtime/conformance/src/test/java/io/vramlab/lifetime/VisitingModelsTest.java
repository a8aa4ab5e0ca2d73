package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The two quickest of the models that nobody had looked at, in every build; all of them are in BroughtModelsTest. */
class VisitingModelsTest {

    private static final int[] ALL = {0, 1, 2, 3, 4, 5, 6, 7, 8};

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
    void aNetworkOfSplinesFittedByLeastSquaresTakesWhatPyTorchTakes() throws Exception {
        assertEquals("", differences("kan"));
    }

    @Test
    void aGraphNetworkThatMovesTakesWhatPyTorchTakes() throws Exception {
        assertEquals("", differences("egnn"));
    }

    private static String differences(String model) throws Exception {
        try (Device device = Device.simulated("H200")) {
            return RecordedModels.differences(model, "expandable", RecordedModels.marks(model, "expandable", device),
                    ALL);
        }
    }
}
