package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models that differentiate gradients, ported line by line from models18.py: the allocator's figures at their marks. */
class TwiceTest {

    /** Requested now and at the peak, allocations alive, and made so far. */
    private static final int[] REQUESTED = {1, 3, 6, 8};
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

    @ParameterizedTest
    @CsvSource({"maml, pure", "maml, default", "maml, expandable", "wgan_gp, pure", "wgan_gp, default",
            "wgan_gp, expandable"})
    void figuresAreThoseOfPyTorchAtEveryMark(String model, String mode) throws Exception {
        try (Device device = Device.shapesOnly("H200")) {
            assertEquals("", RecordedModels.differences(model, mode, RecordedModels.marks(model, mode, device),
                    mode.equals("expandable") ? ALL : REQUESTED));
        }
    }
}
