package io.vramlab.conformance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.device.Device;
import io.vramlab.footprint.EmbeddingScratch;
import io.vramlab.footprint.Footprint;
import io.vramlab.footprint.SparseScratch;
import io.vramlab.lifetime.Phases;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Sparse gradients as recorded on an H200 (oracle/models/sparse.py): every program compiled and counted as a cell is, each phase with its figures and
 * every allocation in order, and values.
 */
class SparseRecordingsTest {

    private static final double TOLERANCE = 1e-4;

    private final Device device = Device.simulated("H200");
    private final Workspaces.Mode modeBefore = Workspaces.mode();

    @BeforeEach
    void count() {
        Lifetimes.count(true);
        Workspaces.mode(Workspaces.Mode.NONE);
        Device.set(device);
    }

    @AfterEach
    void close() {
        Lifetimes.count(false);
        Workspaces.mode(modeBefore);
        Device.set(Device.cpu());
        device.close();
    }

    @Test
    void programsTakeWhatPyTorchTakesInEveryPhaseAndGiveItsValues() throws Exception {
        assertTrue(phasesOf("sparse", name -> true) > 200);
    }

    @Test
    void mergingAnyNumberOfRowsTakesWhatItTakesThere() throws Exception {
        assertTrue(phasesOf("merged",
                name -> name.matches("(merge|merge wide|merge half|frequency|padded) [0-9]{1,5}")) > 120);
    }

    @Test
    void severalParametersAreSteppedWithPyTorchsLeftovers() throws Exception {
        assertTrue(phasesOf("merged", name -> name.matches("(two|mixed) .*")) > 60);
    }

    @Test
    void scalersTakeAndDecideWhatPyTorchsDo() throws Exception {
        assertTrue(phasesOf("merged", name -> name.startsWith("scaler ")) > 350);
    }

    @Test
    void mergingMoreThanFitsThisTestTakesWhatTheRulesSay() {
        for (JsonObject row : Recorded.rows("merged")) {
            String key = row.get("key").getAsString();
            if (key.matches("merge [0-9]{6,}")) {
                long n = Long.parseLong(key.substring(6));
                List<Long> trace = numbers(row.getAsJsonArray("phases").get(0).getAsJsonArray().get(2));
                assertEquals(trace.subList(3, 5), steps(SparseScratch.sorting(n)), key);
                assertEquals(trace.subList(5, 7), steps(SparseScratch.merging(n)), key);
            }
            if (key.matches("frequency [0-9]{6,}")) {
                List<Long> trace = numbers(row.getAsJsonArray("phases").get(0).getAsJsonArray().get(2));
                assertEquals(trace.subList(6, 11),
                        steps(EmbeddingScratch.counting(Long.parseLong(key.substring(10)))), key);
            }
        }
    }

    private static List<Long> steps(Footprint footprint) {
        List<Long> taken = new ArrayList<>();
        List<Long> all = new ArrayList<>();
        for (Footprint.Step step : footprint.steps()) {
            switch (step) {
                case Footprint.Taken(long bytes) -> {
                    taken.add(bytes);
                    all.add(bytes);
                }
                case Footprint.GivenBack(int taking) -> all.add(-taken.get(taking));
            }
        }
        return all;
    }

    private int phasesOf(String recording, Predicate<String> wanted) throws Exception {
        Phases.compile("SparseGradients");
        List<String> differences = new ArrayList<>();
        int phases = 0;
        for (JsonObject row : Recorded.rows(recording)) {
            if (row.has("phases") && wanted.test(row.get("key").getAsString())) {
                Phases.Run run = Phases.run(device, row.get("key").getAsString());
                phases += run.phases().size();
                compare(row, run, differences);
            }
        }
        assertEquals(List.of(), differences, String.join("\n", differences));
        return phases;
    }

    private static void compare(JsonObject row, Phases.Run run, List<String> differences) {
        String key = row.get("key").getAsString() + ": ";
        if (row.has("error") != (run.error() != null)) {
            differences.add(key + "ended by " + run.error() + ", recorded " + row.get("error"));
        }
        JsonArray phases = row.getAsJsonArray("phases");
        for (int i = 0; i < phases.size() && i < run.phases().size(); i++) {
            JsonArray then = phases.get(i).getAsJsonArray();
            Phases.Phase now = run.phases().get(i);
            if (!numbers(then.get(1)).equals(now.figures()) || !numbers(then.get(2)).equals(now.trace())) {
                differences.add(key + now.name() + " " + now.figures() + " " + now.trace() + ", recorded " + then);
            }
        }
        List<JsonElement> values = new ArrayList<>();
        row.getAsJsonArray("values").forEach(v -> {
            if (v.isJsonObject() && v.getAsJsonObject().has("growth_factor")
                    || v.isJsonObject() && v.getAsJsonObject().isEmpty()
                            && row.get("key").getAsString().startsWith("scaler")) {
                JsonArray numbers = new JsonArray();
                v.getAsJsonObject().entrySet().forEach(e -> numbers.add(e.getValue()));
                values.add(numbers);
            } else if (v.isJsonObject()) {
                v.getAsJsonObject().entrySet().stream().filter(e -> !e.getKey().equals("step"))
                        .forEach(e -> values.add(e.getValue()));
            } else {
                values.add(v);
            }
        });
        for (int i = 0; i < values.size() && i < run.values().size(); i++) {
            JsonArray then = values.get(i).getAsJsonArray();
            String difference = run.values().get(i) instanceof Phases.Seen now
                    ? difference(then, now)
                    : then.asList().stream().map(SparseRecordingsTest::number).toList().equals(run.values().get(i))
                            ? null
                            : run.values().get(i) + ", recorded " + then;
            if (difference != null) {
                differences.add(key + "value " + i + ": " + difference);
            }
        }
        // of a scaler's programs a list of losses, and what is left, are not run
        int left = key.startsWith("scaler") ? 2 : 0;
        if (run.error() == null && (phases.size() - left != run.phases().size()
                || values.size() - left / 2 > run.values().size())) {
            differences.add(key + run.phases().size() + " phases, " + run.values().size() + " values, recorded "
                    + phases.size() + ", " + values.size());
        }
    }

    private static String difference(JsonArray then, Phases.Seen now) {
        boolean sparse = then.size() == 4 && then.get(3).isJsonArray();
        if (sparse && (then.get(1).getAsLong() != now.entries() || then.get(2).getAsBoolean() != now.coalesced())) {
            return now.entries() + " entries, coalesced " + now.coalesced() + ", recorded " + then;
        }
        if (!sparse && now.entries() >= 0) {
            return "is sparse, recorded " + then;
        }
        return Recorded.difference(now.dense(), sparse ? then.get(3).getAsJsonArray() : then, TOLERANCE);
    }

    private static double number(JsonElement value) {
        return value.getAsJsonPrimitive().isBoolean() ? value.getAsBoolean() ? 1 : 0 : value.getAsDouble();
    }

    private static List<Long> numbers(JsonElement list) {
        return list.getAsJsonArray().asList().stream().map(JsonElement::getAsLong).toList();
    }
}
