package io.vramlab.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vramlab.kernel.internal.eval.Acceleration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What the doctor says of the accelerator. */
@ResourceLock("vramlab.accelerator")
class EngineTrialTest {

    @Test
    void whyCellsRunWithoutTheAcceleratorIsTold() throws Exception {
        String before = System.getProperty(Acceleration.SWITCH);
        try {
            System.clearProperty(Acceleration.SWITCH);
            assertEquals(Optional.empty(), EngineTrial.withoutAccelerator());
            System.setProperty(Acceleration.SWITCH, "off");
            assertEquals(Optional.of("it was switched off"), EngineTrial.withoutAccelerator());
        } finally {
            if (before == null) {
                System.clearProperty(Acceleration.SWITCH);
            } else {
                System.setProperty(Acceleration.SWITCH, before);
            }
        }
    }
}
