package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceProfile;
import io.vramlab.plan.Plan;
import io.vramlab.plan.ProgramTrace;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of different fields, ported line by line from fields.py, need under default settings what `vramlab plan` tells of the recorded ones. */
class FieldsTest {

    private final Device before = Device.current();
    private final Workspaces.Mode modeBefore = Workspaces.mode();

    @BeforeEach
    void asPyTorch() {
        Workspaces.mode(Workspaces.Mode.PYTORCH);
        Lifetimes.count(true);
    }

    @AfterEach
    void giveBack() {
        Lifetimes.count(false);
        Workspaces.mode(modeBefore);
        Device.set(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mixture", "counts", "graphs"})
    void peaksAreThoseOfTheRecordedProgram(String field) throws Exception {
        Path trace = Path.of(FieldsTest.class.getResource("/oracle/ports/" + field + ".trace").toURI());
        Plan plan = Plan.of(ProgramTrace.read(trace), DeviceProfile.find("H200").orElseThrow(), "");
        assertEquals(List.of(plan.allocated(), plan.reserved()),
                PlannedPorts.peaks(PlannedPorts.classes("Fields"), "Fields", field));
    }
}
