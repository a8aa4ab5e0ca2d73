package io.vramlab.lifetime;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.vramlab.device.Device;
import io.vramlab.memory.Cuda;
import io.vramlab.tensor.internal.core.ThreadState;
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

/** Models that models.py and its like recorded, each with its port to Java, which runs here on a device of one's choice. */
final class RecordedModels {

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
            of("stn", "More", "stn"), of("superres", "More", "superres"), of("averaged", "More", "averaged"),
            of("vqvae", "Further", "vqvae"),
            of("densenet", "Further", "densenet"),
            of("vgg", "Further", "vgg"),
            of("shufflenet", "Further", "shufflenet"),
            of("convlstm", "Further", "convlstm"),
            of("realnvp", "Further", "realnvp"),
            of("capsules", "Further", "capsules"), of("tab", "Branches", "tab"), of("mamba", "Branches", "mamba"),
            of("deeplab", "Branches", "deeplab"), of("wgan_gp", "Twice", "wgan_gp"), of("maml", "Twice", "maml")));

    /** Models of brought.py, strangers.py and visitors.py, which have values: they run where numbers are computed. */
    private static final Map<String, String[]> BROUGHT = new TreeMap<>(Map.ofEntries(
            of("perceiver", "Perceiving", "perceiver"),
            of("decision_transformer", "Perceiving", "decision_transformer"),
            of("gru4rec", "Recommending", "gru4rec"), of("ncf", "Recommending", "ncf"),
            of("tabnet", "Measuring", "tabnet"), of("sets", "Measuring", "sets"), of("triplet", "Measuring", "triplet"),
            of("mdn", "Measuring", "mdn"), of("lora", "Wording", "lora"), of("generate", "Wording", "generate"),
            of("bilstm_crf", "Wording", "bilstm_crf"), of("neural_ode", "Moving", "neural_ode"),
            of("schnet", "Moving", "schnet"), of("sac", "Moving", "sac"), of("conformer", "Convolving", "conformer"),
            of("controlnet", "Convolving", "controlnet"), of("dual_encoder", "Pairing", "dual_encoder"),
            of("two_towers", "Pairing", "two_towers"), of("masked_speech", "Denoising", "masked_speech"),
            of("diffusion_policy", "Denoising", "diffusion_policy"), of("codec", "Coding", "codec"),
            of("ppo", "Coding", "ppo"), of("rwkv", "Recalling", "rwkv"), of("tcn", "Recalling", "tcn"),
            of("deepar", "Recalling", "deepar"), of("convnextv2", "Seeing", "convnextv2"), of("mae", "Seeing", "mae"),
            of("rainbow", "Seeing", "rainbow"), of("egnn", "Fitting", "egnn"), of("kan", "Fitting", "kan")));

    /** Ends the name of a model with channels side by side, which last.py recorded. */
    private static final String LAST = "_last";
    private static final List<String> TURNED = List.of("convnext", "densenet", "mobilenet", "resnet50", "shufflenet",
            "unet_diffusion", "vgg");

    private RecordedModels() {
    }

    private static Map.Entry<String, String[]> of(String model, String file, String method) {
        return Map.entry(model, new String[]{file, method});
    }

    static Set<String> names() {
        return MODELS.keySet();
    }

    static List<String> withChannelsLast() {
        return TURNED.stream().map(name -> name + LAST).toList();
    }

    static Set<String> brought() {
        return BROUGHT.keySet();
    }

    /** What a port's marks tell on that device, which is the current one from then on, in one of the recorded settings. */
    static List<ModelMarks.Mark> marks(String model, String mode, Device device) throws Exception {
        return marks(place(model), mode, device, model.endsWith(LAST));
    }

    /** As above, of a port that is named by its file and method. */
    static List<ModelMarks.Mark> marks(String[] place, String mode, Device device) throws Exception {
        return marks(place, mode, device, false);
    }

    private static List<ModelMarks.Mark> marks(String[] place, String mode, Device device, boolean channelsLast)
            throws Exception {
        Device.set(device);
        ThreadState.current().countNodesFromZero();
        Cuda.setAllocatorSettings("expandable_segments:" + (mode.equals("expandable") ? "True" : "False"));
        Workspaces.mode(mode.equals("default") ? Workspaces.Mode.PYTORCH : Workspaces.Mode.NONE);
        Map<String, byte[]> classes = new HashMap<>();
        Woven.compiled(Map.of("woven/Training", source("Training"), "woven/Given", source("Given"),
                "woven/" + place[0], source(place[0])))
                .forEach((name, file) -> classes.put(name.replace('/', '.'), file));
        ClassLoader loader = new Woven.Classes(classes);
        if (channelsLast) {
            loader.loadClass("woven.Training").getField("channelsLast").setBoolean(null, true);
        }
        Class<?> type = loader.loadClass("woven." + place[0]);
        return ModelMarks.of(device, () -> type.getMethod(place[1]).invoke(null));
    }

    /** The marks and figures that differ from the recording, in words; empty if none does. */
    static String differences(String model, String mode, List<ModelMarks.Mark> marks, int... figures)
            throws Exception {
        JsonArray recorded = recording(model, mode);
        if (BROUGHT.containsKey(model)) {
            // what is left when the program has ended is not looked at
            recorded.remove(recorded.size() - 1);
        }
        if (recorded.size() != marks.size()) {
            return marks.size() + " marks, recorded " + recorded.size();
        }
        List<String> all = new ArrayList<>();
        for (int i = 0; i < marks.size(); i++) {
            for (int f : figures) {
                long theirs = recorded.get(i).getAsJsonArray().get(f + 1).getAsLong();
                long ours = marks.get(i).figures().get(f);
                if (theirs != ours) {
                    all.add(marks.get(i).name() + " column " + f + ": " + ours + ", recorded " + theirs);
                }
            }
        }
        return all.isEmpty()
                ? ""
                : all.size() + " of " + marks.size() * figures.length + ", first: "
                        + String.join("; ", all.subList(0, Math.min(6, all.size())));
    }

    private static String[] place(String model) {
        return BROUGHT.containsKey(model) ? BROUGHT.get(model) : MODELS.get(model.replace(LAST, ""));
    }

    private static String source(String name) throws Exception {
        try (InputStream in = RecordedModels.class.getResourceAsStream("/models/" + name + ".java.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static String tar(String model) {
        if (model.endsWith(LAST)) {
            return "last.tar";
        }
        return switch (place(model)[0]) {
            case "Perceiving", "Recommending", "Measuring", "Wording", "Moving", "Convolving" -> "brought.tar";
            case "Pairing", "Denoising", "Coding" -> "strangers.tar";
            case "Recalling", "Seeing", "Fitting" -> "visitors.tar";
            case "More" -> "models8.tar";
            case "Further", "Branches", "Twice" -> "models18.tar";
            default -> "models.tar";
        };
    }

    /** A file of models.tar: blocks of 512 bytes, each file behind a header with its name and its size in octal. */
    static JsonArray recording(String model, String mode) throws Exception {
        return whole(model, mode).getAsJsonArray("marks");
    }

    /** All that was recorded: marks, losses, a summary of the evaluation. */
    static JsonObject whole(String model, String mode) throws Exception {
        String wanted = "model-" + model + "-" + mode + ".json.gz";
        try (InputStream in = RecordedModels.class.getResourceAsStream("/oracle/models/" + tar(model))) {
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
                            .getAsJsonObject();
                }
            }
        }
    }
}
