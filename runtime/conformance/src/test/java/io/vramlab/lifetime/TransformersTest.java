package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whole transformers, ported line by line and closing nothing, give the figures that models.py recorded on an H200. */
class TransformersTest {

    private static final List<String> MODELS = List.of("nanogpt_eager", "nanogpt_sdpa", "nanogpt_eager_bf16",
            "nanogpt_sdpa_bf16", "llama", "llama_bf16", "bert", "transformer_lm", "vit");
    private static final List<Integer> EVERYWHERE = List.of(1, 3, 6, 8);
    private static final List<Integer> ALL = List.of(0, 1, 2, 3, 4, 5, 6, 7, 8);

    private final Device before = Device.current();
    private final Workspaces.Mode modeBefore = Workspaces.mode();

    @BeforeEach
    void count() {
        Lifetimes.count(true);
    }

    @AfterEach
    void giveBack() {
        Lifetimes.count(false);
        Workspaces.mode(modeBefore);
        Cuda.setAllocatorSettings("expandable_segments:False");
        Device.set(before);
    }

    @Test
    void whatAnEncoderRequestsIsWhatPyTorchRequests() throws Exception {
        assertEquals(Map.of(), differences(List.of("transformer_lm"), "pure", EVERYWHERE));
    }

    @Test
    @Tag("long")
    void whatIsRequestedIsEqualInAllModes() throws Exception {
        Map<String, String> all = new TreeMap<>();
        all.putAll(differences(MODELS, "pure", EVERYWHERE));
        all.putAll(differences(MODELS, "default", EVERYWHERE));
        assertEquals(Map.of(), all);
    }

    @Test
    @Tag("long")
    void allFiguresAreEqualUnderExpandableSegments() throws Exception {
        Map<String, String> all = differences(MODELS, "expandable", ALL);
        assertEquals(Map.of(), all);
    }

    /** The first difference of each model. */
    private static Map<String, String> differences(List<String> models, String mode, List<Integer> figures)
            throws Exception {
        Map<String, JsonObject> recordings = recordings();
        Map<String, byte[]> classes = classes();
        Map<String, String> differences = new TreeMap<>();
        for (String model : models) {
            JsonArray recorded = recordings.get("model-" + model + "-" + mode + ".json.gz").getAsJsonArray("marks");
            List<ModelMarks.Mark> marks = marks(model, mode, classes);
            assertEquals(recorded.size(), marks.size(), model);
            for (int i = marks.size() - 1; i >= 0; i--) {
                JsonArray theirs = recorded.get(i).getAsJsonArray();
                assertEquals(theirs.get(0).getAsString(), marks.get(i).name());
                List<String> unlike = new ArrayList<>();
                for (int each : figures) {
                    long wanted = theirs.get(each + 1).getAsLong();
                    long ours = marks.get(i).figures().get(each);
                    if (wanted != ours) {
                        unlike.add(ModelMarks.COLUMNS.get(each) + " " + wanted + " recorded, " + ours + " here");
                    }
                }
                if (!unlike.isEmpty()) {
                    differences.put(model + ", " + mode, "at " + marks.get(i).name() + ": " + unlike);
                }
            }
        }
        return differences;
    }

    private static List<ModelMarks.Mark> marks(String model, String mode, Map<String, byte[]> classes)
            throws Exception {
        try (Device device = Device.shapesOnly("H200")) {
            Device.set(device);
            Cuda.setAllocatorSettings("expandable_segments:" + (mode.equals("expandable") ? "True" : "False"));
            Workspaces.mode(mode.equals("default") ? Workspaces.Mode.PYTORCH : Workspaces.Mode.NONE);
            Class<?> type = new Woven.Classes(classes).loadClass("woven.Transformers");
            return ModelMarks.of(device, () -> type.getMethod(model).invoke(null));
        }
    }

    private static Map<String, byte[]> classes() throws Exception {
        Map<String, byte[]> classes = new HashMap<>();
        try (InputStream in = TransformersTest.class.getResourceAsStream("/ports/Transformers.java.txt")) {
            Woven.compiled(Map.of("woven/Transformers", new String(in.readAllBytes(), StandardCharsets.UTF_8)))
                    .forEach((name, file) -> classes.put(name.replace('/', '.'), file));
        }
        return classes;
    }

    /** The members of models.tar. */
    private static Map<String, JsonObject> recordings() throws Exception {
        Map<String, JsonObject> recordings = new HashMap<>();
        try (InputStream in = TransformersTest.class.getResourceAsStream("/oracle/models/models.tar")) {
            Tar.members(in.readAllBytes()).forEach((name, bytes) -> recordings.put(name, json(bytes)));
        }
        return recordings;
    }

    private static JsonObject json(byte[] bytes) {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return JsonParser.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8)).getAsJsonObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
