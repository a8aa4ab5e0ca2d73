package io.vramlab.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.conformance.PlacedMemory.Placement;
import io.vramlab.conformance.articles.Lab;
import io.vramlab.conformance.articles.Scenario;
import io.vramlab.conformance.articles.Scenarios;
import io.vramlab.device.Device;
import io.vramlab.device.DeviceProfile;
import io.vramlab.device.DeviceProperties;
import io.vramlab.footprint.CublasVariables;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Runs the project's own version of each recorded article example and compares every mark: allocated, peak, reserved,
 * requested, active and inactive split bytes, allocations and segments.
 *
 * <p>
 * Of the recording, one thing flows into the run: the addresses that the driver gave PyTorch's allocator, because they
 * decide between blocks of one size and follow from the whole life of the recorded process.
 */
public final class ArticleConformance {

    /** Figure: examples that end, or fail, as recorded. */
    public static final String ERRORS = "errors";

    private static final String META = "_meta";
    private static final String DEFAULT_PROFILE = "H200";
    private static final int ENOUGH = 30;

    private final ComparisonReport report = new ComparisonReport("marks");
    private final List<String> columns;
    private final Device device;

    private ArticleConformance(List<String> columns, Device device) {
        this.columns = columns;
        this.device = device;
    }

    /**
     * Runs the examples of a recording on a GPU with the recorded one's processor figures; values do not matter to the
     * marks, so none are computed.
     *
     * @throws IOException
     *             if the file cannot be read or is no such recording; the message is one line
     */
    public static ComparisonReport check(Path file) throws IOException {
        return Recordings.with(file, recording -> {
            Device device = PlacedMemory.device(profile(meta(recording)));
            try {
                return run(recording, device);
            } finally {
                device.close();
            }
        });
    }

    /**
     * Runs the examples on a given GPU, which should hold nothing: a real one computes all values and puts segments where
     * its driver likes.
     *
     * @throws IOException
     *             if the file cannot be read or is no such recording; the message is one line
     */
    public static ComparisonReport check(Path file, Device device) throws IOException {
        return Recordings.with(file, recording -> run(recording, device));
    }

    private static ComparisonReport run(JsonObject recording, Device device) {
        JsonObject meta = meta(recording);
        List<String> columns = Recordings.need(meta, "columns").getAsJsonArray().asList().stream()
                .map(JsonElement::getAsString).skip(1).toList();
        Device before = Device.current();
        Workspaces.Mode modeBefore = Workspaces.mode();
        try {
            Device.set(device);
            Workspaces.variables(CublasVariables.of(environment(meta)));
            Workspaces.mode(Workspaces.Mode.PYTORCH);
            ArticleConformance run = new ArticleConformance(columns, device);
            for (Map.Entry<String, JsonElement> e : recording.entrySet()) {
                if (!e.getKey().equals(META)) {
                    run.example(e.getKey(), e.getValue().getAsJsonObject());
                }
            }
            return run.report;
        } finally {
            Device.set(before);
            Workspaces.mode(modeBefore);
            Workspaces.variables(CublasVariables.ofThisProcess());
        }
    }

    private static JsonObject meta(JsonObject recording) {
        return Recordings.need(recording, META).getAsJsonObject();
    }

    /** The recording's environment decides which workspaces there are. */
    private static UnaryOperator<String> environment(JsonObject meta) {
        return name -> {
            JsonElement env = meta.get("env");
            JsonElement value = env == null || env.isJsonNull() ? null : env.getAsJsonObject().get(name);
            return value == null || value.isJsonNull() ? null : value.getAsString();
        };
    }

    /** The profile of the recorded device: scratch and workspaces depend on it. */
    private static String profile(JsonObject meta) {
        JsonElement device = meta.get("device");
        return DeviceProfile.find(device == null || device.isJsonNull() ? "" : device.getAsString())
                .map(DeviceProperties::name).orElse(DEFAULT_PROFILE);
    }

    private void example(String name, JsonObject recorded) {
        JsonArray marks = Recordings.need(recorded, "marks").getAsJsonArray();
        Scenario scenario = Scenarios.named(name).orElse(null);
        if (scenario == null) {
            report.note(name + ": no example of this name is known; its " + marks.size() + " marks were not compared");
            return;
        }
        if (recorded.has("trace") && device.driver() instanceof PlacedMemory driver) {
            driver.follow(placements(recorded.getAsJsonArray("trace")));
        }
        Lab lab = new Lab(device);
        String error = run(lab, scenario);
        compareError(name, error, recorded);
        compareMarks(name, lab.marks(), marks);
    }

    /** Where the recorded run's driver put its segments: where blocks tie, the lower address wins. */
    private static List<Placement> placements(JsonArray trace) {
        List<Placement> placements = new ArrayList<>();
        for (JsonElement e : trace) {
            JsonArray entry = e.getAsJsonArray();
            if (entry.get(0).getAsString().equals("segment_alloc")) {
                placements.add(new Placement(entry.get(1).getAsLong(), entry.get(2).getAsLong()));
            }
        }
        return placements;
    }

    /** As the recorder did: one process, the cache emptied and the peaks reset before each example. */
    private String run(Lab lab, Scenario scenario) {
        Workspaces.clear(device);
        lab.start();
        String error = null;
        try (Scope scope = Scope.open()) {
            scenario.run(lab);
        } catch (RuntimeException e) {
            error = String.valueOf(e.getMessage());
        } finally {
            lab.close();
        }
        Workspaces.clear(device);
        lab.mark("end");
        return error;
    }

    /** The recording says "Kind: words": the first words must be the same. */
    private void compareError(String name, String error, JsonObject recorded) {
        JsonElement then = recorded.get("error");
        String words = then == null || then.isJsonNull() ? null : then.getAsString().replaceFirst("^\\w+: ", "");
        boolean same = words == null
                ? error == null
                : error != null && error.startsWith(words.substring(0, Math.min(ENOUGH, words.length())));
        if (!report.compare(ERRORS, same)) {
            report.differ(name + ": error " + error + ", recorded " + words);
        }
    }

    private void compareMarks(String name, List<Lab.Mark> now, JsonArray then) {
        for (int i = 0; i < Math.max(now.size(), then.size()); i++) {
            report.count();
            if (i >= now.size() || i >= then.size()) {
                report.differ(name + " mark " + i + ": " + now.size() + " marks were set, " + then.size()
                        + " are recorded");
                continue;
            }
            JsonArray row = then.get(i).getAsJsonArray();
            compareMark(name, now.get(i), row);
        }
    }

    private void compareMark(String name, Lab.Mark now, JsonArray row) {
        boolean same = report.compare("label", now.label().equals(row.get(0).getAsString()));
        long[] then = new long[columns.size()];
        for (int c = 0; c < then.length; c++) {
            then[c] = row.get(c + 1).getAsLong();
            same &= report.compare(columns.get(c), then[c] == now.figures()[c]);
        }
        if (!same) {
            report.differ(name + " " + now.label() + ": " + columns + " " + Arrays.toString(now.figures())
                    + ", recorded " + row.get(0).getAsString() + " " + Arrays.toString(then));
        }
    }
}
