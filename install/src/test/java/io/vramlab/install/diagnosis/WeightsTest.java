package io.vramlab.install.diagnosis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
            JsonObject history = fitted.get(recorded.name());
            JsonObject expected = history.getAsJsonObject("traits").deepCopy();
            Evidence e = evidence(recorded);
            history.getAsJsonObject("later").entrySet()
                    .forEach(each -> expected.add(each.getKey(), each.getValue()));
            if (!e.hasStacks()) {
                history.getAsJsonObject("alone").entrySet()
                        .forEach(each -> expected.add(each.getKey(), each.getValue()));
            }
            Map<String, Double> traits = Traits.of(e);
            assertEquals(expected.keySet(), traits.keySet());
            traits.forEach((name, value) -> assertEquals(expected.get(name).getAsDouble(), value, ROUNDED,
                    () -> recorded + ", " + name + ": write histories.jsonl.gz anew, and fit"));
        }
    }

    @Test
    void whatIsCopiedFromTheHostIsToldByThePauseAfterItAndWhatIsMadeOnTheGpuIsNot() throws IOException {
        Map<String, Double> traits = Traits.of(Evidence.of(Story.of(MemorySnapshot.ofData(timed(2000, 2000)), 0)));
        // four weights of 8 MiB, each 2 ms before the next event: 250 microseconds a MiB; 32 MiB in use and 32 that were refused
        assertEquals(0.5, traits.get("host"));
        // all 32 MiB of the weights, of two sets of them
        assertEquals(0.5, traits.get("host-of-weights"));
        // two of them only asked for: 10 microseconds, 1.25 a MiB
        assertEquals(0.25,
                Traits.of(Evidence.of(Story.of(MemorySnapshot.ofData(timed(2000, 10)), 0))).get("host"));
        // a clock that was made up says nothing
        Map<String, Double> made = Traits.of(Evidence.of(Story.of(MemorySnapshot.ofData(timed(0, 0)), 0)));
        assertEquals(0, made.get("clock"));
        assertEquals(0, made.get("host"));
    }

    /** Four weights of 8 MiB, the second two after other pauses, and small blocks that come and go. */
    private static Map<String, Object> timed(long first, long second) {
        List<Map<String, Object>> events = new ArrayList<>();
        long time = 1_000_000;
        for (int i = 0; i < 4; i++) {
            events.add(event("alloc", 1L + i, 8 << 20, time));
            time += i < 2 ? first : second;
        }
        for (int i = 0; i < 8; i++) {
            events.add(event("alloc", 100L + i, 512, time));
            time += first == 0 ? 0 : 3 + i;
            events.add(event("free_requested", 100L + i, 512, time));
            events.add(event("free_completed", 100L + i, 512, time));
            time += first == 0 ? 0 : 3;
        }
        events.add(event("oom", 0, 32 << 20, time));
        return Map.of("segments", List.of(), "device_traces", List.of(events));
    }

    private static Map<String, Object> event(String action, long address, long size, long time) {
        return Map.of("action", action, "addr", address << 24, "size", size, "stream", 0L, "time_us", time);
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
