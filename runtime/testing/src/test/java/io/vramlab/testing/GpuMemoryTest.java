package io.vramlab.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import example.TwoTensors;
import io.vramlab.tensor.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
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

    /** Each program is of tensors of random sizes; the grown one has one more, of 1 % of all. */
    @Test
    @Tag("long")
    void aGrowthOfOnePerCentIsCaughtAHundredTimesAndNothingElseIs() throws Throwable {
        Random random = new Random(19);
        for (int i = 0; i < 100; i++) {
            List<Integer> sizes = new ArrayList<>();
            for (int n = 2 + random.nextInt(20); n > 0; n--) {
                sizes.add(128 * (1 + random.nextInt(20_000))); // elements of 4 bytes: whole blocks of 512 bytes
            }
            long all = sizes.stream().mapToLong(s -> 4L * s).sum();
            Promise promise = new Promise(String.valueOf(all), "H200");
            promise.keep(() -> make(sizes));
            List<Integer> grown = new ArrayList<>(sizes);
            grown.add((int) Math.max(128, all / 400));
            assertThrows(AssertionFailedError.class, () -> promise.keep(() -> make(grown)));
        }
    }

    private static void make(List<Integer> sizes) {
        List<Tensor> tensors = sizes.stream().map(s -> Tensor.zeros(s)).toList();
        assertEquals(sizes.size(), tensors.size());
    }
}
