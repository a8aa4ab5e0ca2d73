package io.vramlab.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import example.TwoTensors;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class GpuMemoryTest {

    private static final String TRACES = "../plan/src/test/resources/plan/traces/";

    /** 2 tensors of 1 MiB each, and nothing else. */
    @Test
    @GpuMemory(peak = "2 MiB", device = "H200")
    void aJavaProgramKeepsItsPromise() {
        TwoTensors.run();
    }

    /** 186,260,480 bytes are what an H200 recorded of that script with expandable segments. */
    @Test
    @GpuMemory(peak = "186260480", device = "H200", trace = TRACES + "mlp_adamw.trace")
    void aRecordedProgramKeepsItsPromise() {
        assertTrue(Path.of(TRACES + "mlp_adamw.trace").toFile().exists());
    }

    @Test
    void aBrokenPromiseNamesTheLine() {
        AssertionFailedError broken = assertThrows(AssertionFailedError.class, () -> new Promise("1.5 MiB", "H200")
                .keep(TwoTensors::run));
        assertTrue(broken.getMessage().contains("TwoTensors.java:14"), broken.getMessage());
        assertTrue(broken.getMessage().contains("33.33 % more"), broken.getMessage()); // 2 MiB for 1.5 MiB
    }

    @Test
    void aBrokenPromiseOfARecordingNamesOperationAndLineAndWhatGrew() {
        AssertionFailedError broken = assertThrows(AssertionFailedError.class,
                () -> new Promise("186260479", "H200").keep(Path.of(TRACES + "mlp_adamw.trace"),
                        Path.of(TRACES + "vae_bce.trace"), "expandable_segments:True"));
        assertTrue(broken.getMessage().contains("mlp_adamw.py:"), broken.getMessage());
        assertTrue(broken.getMessage().contains("more at the peak"), broken.getMessage());
    }

    @Test
    void aSizeThatIsNoneIsTold() {
        assertThrows(IllegalArgumentException.class, () -> new Promise("much", "H200"));
    }

    @Test
    void aRecordingThatIsNotThereIsTold() {
        IllegalArgumentException told = assertThrows(IllegalArgumentException.class,
                () -> new Promise("1 MiB", "H200").keep(Path.of("nowhere.trace"), null, ""));
        assertTrue(told.getMessage().contains("nowhere.trace. Reading it failed: there is no such file. Make one"),
                told.getMessage());
    }
}
