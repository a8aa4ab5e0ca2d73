package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.Test;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import io.vramlab.install.diagnosis.Finding.Blamed;
import io.vramlab.install.story.Story;
import io.vramlab.memory.MemorySnapshot;

/** The weights are those of the traits as they are computed here; {@code fit.py} beside the histories says how good they are. */
class WeightsTest {

    /** Of so many recordings one is looked at. */
    private static final int SAMPLE = 40;
    private static final double ROUNDED = 1e-3;

    /** Of a name that a later set has again, the first: only recordings of names that no earlier set has are kept. */
    private static Map<String, JsonObject> fitted() throws IOException {
        Map<String, JsonObject> histories = new HashMap<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(WeightsTest.class.getResourceAsStream("/diagnosis/weights/histories.jsonl.gz")),
                StandardCharsets.UTF_8))) {
            lines.lines().map(line -> JsonParser.parseString(line).getAsJsonObject())
                    .forEach(history -> histories.putIfAbsent(history.get("name").getAsString(), history));
        }
        return histories;
    }

    private static Evidence evidence(RecordedCausesTest.Recorded recorded) throws IOException {
        return Evidence.of(Story.of(MemorySnapshot.readHistory(recorded.file()), 0));
    }

    private static List<RecordedCausesTest.Recorded> sample() throws IOException, URISyntaxException {
        List<RecordedCausesTest.Recorded> all = RecordedCausesTest.recorded();
        return all.stream().filter(recorded -> all.indexOf(recorded) % SAMPLE == 0).toList();
    }

    @Test
    void traitsAreThoseThatTheWeightsWereFittedTo() throws IOException, URISyntaxException {
        Map<String, JsonObject> fitted = fitted();
        for (RecordedCausesTest.Recorded recorded : sample()) {
            JsonObject expected = fitted.get(recorded.name()).getAsJsonObject("traits");
            Map<String, Double> traits = Traits.of(evidence(recorded));
            assertEquals(expected.keySet(), traits.keySet());
            traits.forEach((name, value) -> assertEquals(expected.get(name).getAsDouble(), value, ROUNDED,
                    () -> recorded + ", " + name + ": write histories.jsonl.gz anew, and fit"));
        }
    }

    @Test
    void probabilitiesOfAllCausesComeToOne() throws IOException, URISyntaxException {
        Map<CauseKind, Double> probabilities = Weights.probabilities(List.of(),
                Traits.of(evidence(sample().getFirst())));
        assertTrue(probabilities.size() > 20, probabilities::toString);
        assertEquals(1, probabilities.values().stream().mapToDouble(Double::doubleValue).sum(), 1e-9);
    }

    @Test
    void whatADetectorIsCertainOfIsNotWhereItsHistoryDoesNotLookSo() throws IOException, URISyntaxException {
        for (RecordedCausesTest.Recorded recorded : sample()) {
            if (recorded.causes().contains("graphs")) {
                continue;
            }
            Evidence e = evidence(recorded);
            Finding wrong = new Finding(CauseKind.GRAPHS, Certainty.SURE, "a.py:1", "", 0.5, List.of(), "",
                    Blamed.NONE);
            Finding verdict = Weighed.of(List.of(wrong), wrong, e, Traits.of(e)).getFirst();
            assertFalse(verdict.kind() == CauseKind.GRAPHS && verdict.certainty() == Certainty.SURE,
                    recorded::toString);
        }
    }
}
