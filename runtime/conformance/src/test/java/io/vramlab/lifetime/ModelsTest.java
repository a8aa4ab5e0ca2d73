package io.vramlab.lifetime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.internal.ops.matrix.Workspaces;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whole models with convolutions and recurrence, ported line by line from models.py and models8.py: the allocator's figures at its marks. */
@Tag("long")
class ModelsTest {

    /** Requested now and at the peak, allocations alive, and made so far. */
    private static final int[] REQUESTED = {1, 3, 6, 8};
    private static final int[] ALL = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    private static final int PEAK = 2;
    /** Requested now, and allocations alive. */
    private static final int[] HELD = {1, 6};
    /**
     * What these hold is compared, but not their peaks and how often they take something: cuDNN's workspaces are estimates here
     * (docs/footprint.md), and whether it takes one at all depends on its heuristics.
     */
    private static final Set<String> CUDNN = Set.of("speech", "alexnet", "superres", "unet_diffusion");
    /** Of these the peaks are within a hundredth even so. */
    private static final Set<String> NEARLY = Set.of("superres", "unet_diffusion");
    private static final Map<String, String[]> MODELS = new TreeMap<>(Map.ofEntries(of("lstm_lm", "LstmLm", "run"),
            of("seq2seq", "Seq2Seq", "run"), of("vae", "Vae", "run"), of("pointnet", "PointNet", "run"),
            of("resnet50", "ResNet50", "small"), of("resnet50_large", "ResNet50", "large"),
            of("resnet50_bf16", "ResNet50", "bf16"), of("mobilenet", "Pictures", "mobilenet"),
            of("efficientnet", "Pictures", "efficientnet"), of("convnext", "Pictures", "convnext"),
            of("swin", "Pictures", "swin"), of("unet_diffusion", "Pictures", "unet_diffusion"),
            of("dcgan", "Pictures", "dcgan"), of("t5", "Others", "t5"), of("dlrm", "Others", "dlrm"),
            of("gcn", "Others", "gcn"), of("moe", "More", "moe"), of("gat", "More", "gat"),
            of("field", "More", "field"), of("clip", "More", "clip"),
            of("speech", "More", "speech"), of("wavenet", "More", "wavenet"), of("alexnet", "More", "alexnet"),
            of("stn", "More", "stn"), of("superres", "More", "superres"), of("averaged", "More", "averaged")));

    private static Map.Entry<String, String[]> of(String model, String file, String method) {
        return Map.entry(model, new String[]{file, method});
    }

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
    void whatIsRequestedAndHowOftenIsEqualAtEveryMark() throws Exception {
        assertEquals(Map.of(), differences("pure", REQUESTED));
        assertEquals(Map.of(), differences("default", REQUESTED));
    }

    @Test
    void underExpandableSegmentsAllFiguresAreEqual() throws Exception {
        assertEquals(Map.of(), differences("expandable", ALL));
    }

    @Test
    void peaksAreWithinAHundredth() throws Exception {
        for (String model : MODELS.keySet()) {
            if (CUDNN.contains(model) && !NEARLY.contains(model)) {
                continue;
            }
            JsonArray recorded = recording(model, "pure");
            List<ModelMarks.Mark> marks = marks(model, "pure");
            for (int i = 0; i < marks.size(); i++) {
                long theirs = recorded.get(i).getAsJsonArray().get(PEAK + 1).getAsLong();
                long ours = marks.get(i).figures().get(PEAK);
                assertTrue(Math.abs(theirs - ours) <= theirs / 100,
                        model + " at " + marks.get(i).name() + ": " + ours + ", recorded " + theirs);
            }
        }
    }

    private static Map<String, String> differences(String mode, int[] figures) throws Exception {
        Map<String, String> differences = new TreeMap<>();
        for (String model : MODELS.keySet()) {
            JsonArray recorded = recording(model, mode);
            List<ModelMarks.Mark> marks = marks(model, mode);
            assertEquals(recorded.size(), marks.size(), model);
            List<String> all = new ArrayList<>();
            for (int i = 0; i < marks.size(); i++) {
                for (int f : figures(model, figures)) {
                    long theirs = recorded.get(i).getAsJsonArray().get(f + 1).getAsLong();
                    long ours = marks.get(i).figures().get(f);
                    if (theirs != ours) {
                        all.add(marks.get(i).name() + " column " + f + ": " + ours + ", recorded " + theirs);
                    }
                }
            }
            if (!all.isEmpty()) {
                differences.put(model, all.size() + " of " + marks.size() * figures.length + ", first: "
                        + String.join("; ", all.subList(0, Math.min(6, all.size()))));
            }
        }
        return differences;
    }

    private static int[] figures(String model, int... wanted) {
        return CUDNN.contains(model) ? HELD : wanted;
    }

    private static List<ModelMarks.Mark> marks(String model, String mode) throws Exception {
        String[] place = MODELS.get(model);
        try (Device device = Device.shapesOnly("H200")) {
            Device.set(device);
            Cuda.setAllocatorSettings("expandable_segments:" + (mode.equals("expandable") ? "True" : "False"));
            Workspaces.mode(mode.equals("default") ? Workspaces.Mode.PYTORCH : Workspaces.Mode.NONE);
            Map<String, byte[]> classes = new HashMap<>();
            Woven.compiled(Map.of("woven/Training", source("Training"), "woven/" + place[0], source(place[0])))
                    .forEach((name, file) -> classes.put(name.replace('/', '.'), file));
            Class<?> type = new Woven.Classes(classes).loadClass("woven." + place[0]);
            return ModelMarks.of(device, () -> type.getMethod(place[1]).invoke(null));
        }
    }

    private static String source(String name) throws Exception {
        try (InputStream in = ModelsTest.class.getResourceAsStream("/models/" + name + ".java.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String tar(String model) {
        return MODELS.get(model)[0].equals("More") ? "models8.tar" : "models.tar";
    }

    /** A file of models.tar: blocks of 512 bytes, each file behind a header with its name and its size in octal. */
    private static JsonArray recording(String model, String mode) throws Exception {
        String wanted = "model-" + model + "-" + mode + ".json.gz";
        try (InputStream in = ModelsTest.class.getResourceAsStream("/oracle/models/" + tar(model))) {
            while (true) {
                byte[] header = in.readNBytes(512);
                String name = new String(header, 0, 100, StandardCharsets.US_ASCII).split("\0", 2)[0];
                if (name.isEmpty()) {
                    throw new IllegalArgumentException(wanted + " is not in " + tar(model));
                }
                int size = Integer.parseInt(new String(header, 124, 11, StandardCharsets.US_ASCII).strip(), 8);
                byte[] file = in.readNBytes(size);
                in.skipNBytes((512 - size % 512) % 512);
                if (name.equals(wanted)) {
                    return JsonParser.parseReader(new InputStreamReader(
                            new GZIPInputStream(new ByteArrayInputStream(file)), StandardCharsets.UTF_8))
                            .getAsJsonObject().getAsJsonArray("marks");
                }
            }
        }
    }
}
