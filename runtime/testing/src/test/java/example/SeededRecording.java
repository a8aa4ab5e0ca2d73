package example;

import io.vramlab.testing.GpuMemory;
import org.junit.jupiter.api.Test;

/** A user's test of a recording that is written anew for each seed. Not found by the build; a launcher runs it. */
public class SeededRecording {

    /** Where the recording lies that the test looks at. */
    public static final String TRACE = "target/seeded.trace";

    /** 186,260,480 bytes are what an H200 recorded of mlp_adamw.py with expandable segments. */
    @Test
    @GpuMemory(peak = "186260480", device = "H200", trace = TRACE, baseline = "../plan/src/test/resources/plan/traces/mlp_adamw.trace")
    void theRecordedStepFits() {
        // what it takes is in the recording
    }
}
