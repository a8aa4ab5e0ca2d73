package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceProfile;
import io.vramlab.plan.Plan;
import io.vramlab.plan.ProgramTrace;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A loop of training as one writes it, which closes nothing, needs what the same loop needs in PyTorch. */
class TenStepsTest {

    private final Device before = Device.current();
    private final Workspaces.Mode modeBefore = Workspaces.mode();

    @BeforeEach
    void asPyTorch() {
        Workspaces.mode(Workspaces.Mode.PYTORCH);
    }

    @AfterEach
    void giveBack() {
        Lifetimes.count(false);
        Workspaces.mode(modeBefore);
        Device.set(before);
    }

    /** ten_steps.py ran in CPython on a machine without a GPU; what that needs on one is what `vramlab plan` makes of it. */
    @Test
    void theirPeaksAreThoseOfTheRecordedProgramOnlyIfCounted() throws Exception {
        Path trace = Path.of(TenStepsTest.class.getResource("/oracle/ports/ten_steps.trace").toURI());
        Plan plan = Plan.of(ProgramTrace.read(trace), DeviceProfile.find("H200").orElseThrow(), "");
        Map<String, byte[]> classes = PlannedPorts.classes("Ports", "TenSteps");
        Lifetimes.count(true);
        assertEquals(List.of(plan.allocated(), plan.reserved()), PlannedPorts.peaks(classes, "TenSteps", "run"));
        Lifetimes.count(false);
        assertTrue(PlannedPorts.peaks(classes, "TenSteps", "run").getFirst() > plan.allocated());
    }
}
