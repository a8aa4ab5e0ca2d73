package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceProfile;
import io.vramlab.memory.Cuda;
import io.vramlab.plan.Plan;
import io.vramlab.plan.ProgramTrace;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Models that differentiate gradients, ported line by line from models18.py and models24.py: the allocator's figures. */
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

    /** PyTorch's own engine ran these on a machine without a GPU; what it allocates on one is what `vramlab plan` makes of that. */
    @ParameterizedTest
    @ValueSource(strings = {"critic", "hvp", "pinn", "r1", "kept"})
    void peakAndNumberOfAllocationsAreThoseOfTheRecordedProgram(String model) throws Exception {
        Path trace = Path.of(TwiceTest.class.getResource("/oracle/models/twice/" + model + ".trace").toURI());
        Plan plan = Plan.of(ProgramTrace.read(trace), DeviceProfile.find("H200").orElseThrow(), "");
        try (Device device = Device.shapesOnly("H200")) {
            List<ModelMarks.Mark> marks = RecordedModels.marks(new String[]{"Twice", model}, "default", device);
            long peak = marks.stream().mapToLong(m -> m.figures().get(2)).max().orElseThrow();
            assertEquals(List.of(plan.allocated(), plan.allocations()),
                    List.of(peak, marks.getLast().figures().get(8)));
        }
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
