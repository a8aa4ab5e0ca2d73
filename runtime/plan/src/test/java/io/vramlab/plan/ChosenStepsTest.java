package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChosenStepsTest {

    private static final DeviceProperties H200 = DeviceProfile.find("H200").orElseThrow();

    /** Of convolutions, a recurrent layer and an operation without a rule: nothing, something, or more is taken where a library decides. */
    @Test
    void aScriptForAnotherChoiceIsTheOneThatTheRulesWrite() throws IOException {
        for (String name : List.of("traces/tv_resnet50_amp", "traces/gru_classifier", "traces/dcgan",
                "operations/listed")) {
            ProgramTrace trace = ProgramTrace
                    .read(ChosenStepsTest.class.getResourceAsStream("/plan/" + name + ".trace"));
            Script likely = Script.of(trace, H200);
            for (Choice choice : Choice.values()) {
                assertTrue(likely.changesSizesAlone(choice), name);
                Script written = Script.of(trace, H200, choice);
                assertEquals(written, likely.with(choice), name + " " + choice);
                assertEquals(events(written), events(likely.with(choice)), name + " " + choice);
            }
        }
    }

    @Test
    void whereSomethingLingersTheMostIsWrittenByTheRules() throws IOException {
        Script script = Script.of(Recordings.of("""
                ["b",1,1024]
                ["l",1]
                ["f",1]
                """), H200);
        assertTrue(script.changesSizesAlone(Choice.LEAST));
        assertFalse(script.changesSizesAlone(Choice.MOST));
    }

    private static List<Integer> events(Script script) {
        List<Integer> events = new ArrayList<>();
        for (int i = 0; i < script.length(); i++) {
            events.add(script.event(i));
        }
        return events;
    }
}
