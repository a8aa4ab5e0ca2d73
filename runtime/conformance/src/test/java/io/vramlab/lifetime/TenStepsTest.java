package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.device.DeviceProfile;
import io.vramlab.memory.Cuda;
import io.vramlab.plan.Plan;
import io.vramlab.plan.ProgramTrace;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A loop of training as one writes it, which closes nothing, needs what the same loop needs in PyTorch. */
class TenStepsTest {

    /** Nothing hangs on where the driver puts segments, of which a plan knows more: that its first kernel makes addresses free. */
    private static final String SETTINGS = "expandable_segments:True";

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
        Cuda.setAllocatorSettings("expandable_segments:False");
        Device.set(before);
    }

    /** ten_steps.py ran in CPython on a machine without a GPU; what that needs on one is what `vramlab plan` makes of it. */
    @Test
    void theirPeaksAreThoseOfTheRecordedProgramOnlyIfCounted() throws Exception {
        Path trace = Path.of(TenStepsTest.class.getResource("/oracle/ports/ten_steps.trace").toURI());
        Plan plan = Plan.of(ProgramTrace.read(trace), DeviceProfile.find("H200").orElseThrow(), SETTINGS);
        Map<String, byte[]> classes = classes();
        Lifetimes.count(true);
        assertEquals(List.of(plan.allocated(), plan.reserved()), peaks(classes));
        Lifetimes.count(false);
        assertTrue(peaks(classes).getFirst() > plan.allocated());
    }

    private static List<Long> peaks(Map<String, byte[]> classes) throws Exception {
        try (Device device = Device.shapesOnly("H200")) {
            Device.set(device);
            Cuda.setAllocatorSettings(SETTINGS);
            new Woven.Classes(classes).loadClass("woven.TenSteps").getMethod("run").invoke(null);
            return List.of(Cuda.maxMemoryAllocated(), Cuda.maxMemoryReserved());
        }
    }

    private static Map<String, byte[]> classes() throws Exception {
        Map<String, String> sources = new LinkedHashMap<>();
        for (String each : List.of("Ports", "TenSteps")) {
            try (InputStream in = TenStepsTest.class.getResourceAsStream("/ports/" + each + ".java.txt")) {
                sources.put("woven/" + each, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        Map<String, byte[]> classes = new HashMap<>();
        Woven.compiled(sources).forEach((name, file) -> classes.put(name.replace('/', '.'), file));
        return classes;
    }
}
