package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Steps that a GradScaler skips while its scale is too large: the optimizer's state comes later than was recorded. */
class ScaledStepsTest {

    private static final long PART = 64 << 20;
    private static final String TENSOR = "{\"t\":[1,1]}";
    private static final String ACTIVATION = "[\"b\",20,67108864]\n[\"f\",20]\n";
    private static final String UPDATE = "[\"o\",3,0,0,0,[" + TENSOR + "],{},null,[],\"\"]\n";
    private static final String END = "[\"m\",\"optimizer_step\",0]\n";
    /** Makes the state in the first step; something for the time of the step as well. */
    private static final String FIRST = "[\"o\",2,0,0,2,[" + TENSOR + "],{},{\"t\":[10,1]},[[10,67108864]],\"\"]\n"
            + "[\"k\",10,\"optimizer\",\"exp_avg\"]\n"
            + "[\"o\",2,0,0,2,[" + TENSOR + "],{},{\"t\":[11,1]},[[11,67108864]],\"\"]\n" + END + "[\"f\",11]\n";
    private static final String LATER = "[\"o\",4,0,0,2,[" + TENSOR + "],{},null,[],\"\"]\n" + END;

    @Test
    void whereFirstStepsMayBeSkippedTheStateMayComeAfterTheLastForward() throws IOException {
        Plan plan = plan("aten._amp_foreach_non_finite_check_and_unscale_", "aten.zeros_like");
        assertTrue(plan.isScaled());
        assertEquals(3 * PART, plan.allocated(), "parameter, state and what the first step or a forward holds");
        assertEquals(2 * PART, plan.leastAllocated(), "with both steps skipped there is no state at all");
        assertTrue(PlanReport.text(recording("aten._amp_foreach_non_finite_check_and_unscale_", "aten.zeros_like"),
                List.of(plan), List.of()).contains("GradScaler skips the first steps"));
    }

    @Test
    void whatTheFirstStepMakesIsMadeInTheFirstThatIsTaken() throws IOException {
        ProgramTrace trace = recording("aten._amp_foreach_non_finite_check_and_unscale_", "aten.zeros_like");
        Script late = new Scripts(trace, DeviceProfile.find("H200").orElseThrow()).without(1, Choice.LIKELY);
        StringBuilder order = new StringBuilder();
        for (int i = 0; i < late.length(); i++) {
            if (late.kind(i) == Script.TAKE || late.kind(i) == Script.GIVE) {
                order.append(late.kind(i) == Script.TAKE ? "+" : "-").append(late.block(i)).append(' ');
            }
        }
        assertEquals("+1 +20 -20 +20 -20 +10 +11 -11 +20 -20 ", order.toString());
    }

    @Test
    void withoutAScalerOrWithAFusedStepNothingIsSkipped() throws IOException {
        for (Plan plan : List.of(plan("aten.zero_", "aten.zeros_like"),
                plan("aten._amp_foreach_non_finite_check_and_unscale_", "aten._fused_adam_"))) {
            assertFalse(plan.isScaled());
            assertEquals(plan.mostAllocated(), plan.leastAllocated());
        }
    }

    private static Plan plan(String check, String made) throws IOException {
        return Plan.of(recording(check, made), DeviceProfile.find("H200").orElseThrow(), "");
    }

    private static ProgramTrace recording(String check, String made) throws IOException {
        String checked = "[\"o\",1,0,0,0,[[" + TENSOR + "]],{},null,[],\"\"]\n";
        String lines = "[\"O\",1,\"" + check + ".default\"]\n[\"O\",2,\"" + made + ".default\"]\n"
                + "[\"O\",3,\"aten._amp_update_scale_.default\"]\n[\"O\",4,\"" + made + ".default\"]\n"
                + "[\"T\",1,\"float32\",[16777216],[1],0,0]\n[\"b\",1,67108864]\n[\"k\",1,\"parameter\",\"weight\"]\n"
                + ACTIVATION + checked + FIRST + UPDATE + ACTIVATION + checked + LATER + UPDATE + ACTIVATION;
        return Recordings.of(lines);
    }
}
