package io.vramlab.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import example.SeededRecording;
import example.SeededStep;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The promise as users make it: JUnit itself runs annotated classes over programs that grew by 1 %, and over those that did not. */
class SeededGrowthTest {

    private static final int RUNS = 100;

    @Test
    void aJavaProgramThatGrewByOnePerCentIsCaughtAHundredTimesAndOneThatDidNotNever() {
        int caught = 0;
        int alarms = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            SeededStep.seed = seed;
            SeededStep.grown = true;
            caught += failed(SeededStep.class, "1.00 % more", "SeededStep.java:") ? 1 : 0;
            SeededStep.grown = false;
            alarms += failed(SeededStep.class, "", "") ? 1 : 0;
        }
        assertEquals(RUNS, caught);
        assertEquals(0, alarms);
    }

    @Test
    void aRecordingThatGrewByOnePerCentIsCaughtAHundredTimesAndOneThatDidNotNever() throws IOException {
        Path trace = Path.of(SeededRecording.TRACE);
        int caught = 0;
        int alarms = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            SeededTrace.grown(seed, trace);
            caught += failed(SeededRecording.class, "% more", "mlp_adamw.py:") ? 1 : 0;
            SeededTrace.harmless(seed, trace);
            alarms += failed(SeededRecording.class, "", "") ? 1 : 0;
        }
        assertEquals(RUNS, caught);
        assertEquals(0, alarms);
    }

    /** Whether the class's one test failed; if so, by the promise and with these words. */
    private static boolean failed(Class<?> tests, String percent, String line) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(
                LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build(),
                listener);
        TestExecutionSummary ran = listener.getSummary();
        assertEquals(1, ran.getTestsStartedCount());
        if (ran.getTestsSucceededCount() == 1) {
            return false;
        }
        String told = ran.getFailures().getFirst().getException().getMessage();
        assertEquals("", told.contains("were promised on H200") && told.contains(percent) && told.contains(line)
                ? ""
                : told);
        return true;
    }
}
