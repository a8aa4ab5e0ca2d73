package io.vramlab.conformance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.amp.Autocast;
import io.vramlab.autograd.NoGrad;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.nn.Conv2d;
import io.vramlab.nn.Module;
import io.vramlab.nn.Parameter;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.Generator;
import io.vramlab.tensor.type.MemoryFormat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Modules as recorded on an H200 (oracle/models/modules.py): every allocation in order, forward and backward, and values. */
class ModuleRecordingsTest {

    private static final double TF32 = 4e-3;
    /** Beginnings of keys of modules that take what depends on values. */
    private static final List<String> BY_VALUES = List.of("AdaptiveLogSoftmaxWithLoss|",
            "CrossEntropyLoss|[[\"w10\"], {\"label_smoothing\": 0.1, \"ignore_index\": 1}]|");

    private final ModuleTable table = new ModuleTable();
    private final List<String> differences = new ArrayList<>();
    private final Map<String, Integer> compared = new TreeMap<>();
    /** Of the row that is compared: what an input is, or is made of. */
    private final Map<String, Tensor> leaves = new HashMap<>();
    private Device device;
    private boolean values;
    /** Whether those that take what depends on values are compared, and no others. */
    private boolean byValues;

    @AfterEach
    void close() {
        Device.set(Device.cpu());
        device.close();
    }

    @Test
    @Tag("long")
    void modulesTakeWhatPyTorchTakes() {
        device = Device.shapesOnly("H200");
        values = false;
        compareAll(Set.of("float32", "eval", "nograd", "float16", "bfloat16"));
        int rows = compared.values().stream().mapToInt(i -> i).sum();
        if (Boolean.getBoolean("modules.show")) {
            System.out.println("compared " + rows + " rows of " + compared.size() + " modules");
        }
        assertTrue(compared.size() > 60, "modules compared: " + compared.keySet());
        assertTrue(rows > 700, "rows compared: " + compared);
        assertEquals(new TreeSet<>(Differing.MODULES), keys(), String.join("\n", differences));
    }

    @Test
    @Tag("long")
    void whatDependsOnValuesTakesWhatPyTorchTakes() {
        // how many rows a cluster has, how many targets count
        device = Device.simulated("H200");
        values = false;
        byValues = true;
        // under autocast some of its casts come in another order
        compareAll(Set.of("float32", "eval", "nograd"));
        assertEquals(Set.of("AdaptiveLogSoftmaxWithLoss", "CrossEntropyLoss"), compared.keySet());
        assertEquals(new TreeSet<>(), keys(), String.join("\n", differences));
    }

    @Test
    @Tag("long")
    void modulesGiveTheValuesOfPyTorch() {
        device = Device.simulated("H200");
        values = true;
        compareAll(Set.of("float32"));
        assertEquals(new TreeSet<>(Differing.VALUES), keys(), String.join("\n", differences));
    }

    private TreeSet<String> keys() {
        return new TreeSet<>(differences.stream().map(d -> Differing.beginning(d.split(" :: ")[0])).toList());
    }

    private void compareAll(Set<String> modes) {
        for (JsonObject row : Recorded.rows("modules")) {
            String mode = row.get("mode").getAsString();
            if (!values && byValues != BY_VALUES.stream().anyMatch(row.get("key").getAsString()::startsWith)) {
                continue;
            }
            if (modes.contains(mode) && !row.has("error")) {
                compare(row, mode);
            }
        }
    }

    private void compare(JsonObject row, String mode) {
        String name = row.get("module").getAsString();
        boolean gradients = !mode.equals("eval") && !mode.equals("nograd");
        Device.set(Device.cpu());
        ModuleTable.Made made;
        JsonObject named = row.getAsJsonObject("kw").deepCopy();
        JsonArray texts = row.getAsJsonArray("inputs");
        if (!texts.isEmpty() && texts.get(0).getAsString().startsWith("N")) {
            named.addProperty("need_weights", false);
        }
        try {
            made = table.make(name, new ModuleTable.Arguments(row.getAsJsonArray("args"), named, device));
        } finally {
            Device.set(device);
        }
        if (made == null) {
            return;
        }
        List<Tensor> inputs = new ArrayList<>();
        leaves.clear();
        int k = 0;
        for (JsonElement text : row.getAsJsonArray("inputs")) {
            boolean written = text.getAsString().startsWith("f+");
            Tensor t = Recorded.input(device, text.getAsString().replace("f+", "f"), ++k, gradients, DType.FLOAT32);
            if (t == null) {
                return;
            }
            leaves.put("in" + (k - 1), t);
            inputs.add(written ? t.add(0.) : t);
        }
        compared.merge(name, 1, Integer::sum);
        String difference;
        try {
            difference = run(row, mode, made, inputs.toArray(Tensor[]::new), gradients);
        } catch (RuntimeException e) {
            difference = "failed: " + e;
        }
        inputs.forEach(Tensor::close);
        leaves.values().forEach(Tensor::close);
        table.endRow();
        if (WindowTable.KEPT.get() != null) {
            ModuleTable.close(WindowTable.KEPT.get());
            WindowTable.KEPT.remove();
        }
        if (made.module() != null) {
            made.module().close();
        }
        if (difference != null) {
            differences.add(row.get("key").getAsString() + " :: " + difference);
        }
    }

    private void fill(Module module) {
        int k = 0;
        for (Map.Entry<String, Parameter> e : module.namedParameters().entrySet()) {
            Parameter p = e.getValue();
            float[] v = Recorded.value(p.numel(), 1000 + k++);
            boolean weight = e.getKey().endsWith("weight");
            double scale = p.dim() > 1 ? 2.0 / Math.sqrt(Math.max(1, p.numel() / p.size(0))) : 1;
            for (int i = 0; i < v.length; i++) {
                v[i] = p.dim() > 1 ? (float) (v[i] * scale) : weight ? v[i] + 1 : v[i];
            }
            try (NoGrad off = new NoGrad(); Tensor values = Recorded.on(Device.cpu(), DType.FLOAT32, v, p.shape())) {
                p.copy_(values);
            }
        }
    }

    private String run(JsonObject row, String mode, ModuleTable.Made made, Tensor[] inputs, boolean gradients) {
        if (made.module() != null) {
            fill(made.module());
            if (made.module() instanceof Conv2d && row.getAsJsonArray("inputs").get(0).getAsString().startsWith("fC")) {
                made.module().to(MemoryFormat.CHANNELS_LAST);
            }
            made.module().to(device).train(!mode.equals("eval"));
        }
        if (row.getAsJsonObject("kw").has("dropout") && row.get("module").getAsString().matches("LSTM|GRU|RNN")) {
            // measured.py keeps the second of two runs, each after a seeding: the state of dropout was there and is made anew
            forward(mode, made, inputs, gradients).close();
            ModuleTable.close(WindowTable.KEPT.get());
            Generator.manualSeedAll(0);
        }
        Tensor[] out = new Tensor[1];
        List<Long> forward = Recorded.listen(device, () -> out[0] = forward(mode, made, inputs, gradients));
        List<Long> backward = List.of();
        try (Tensor y = out[0]) {
            if (row.has("bwd")) {
                float[] g = Recorded.value(y.numel(), 77);
                for (int i = 0; i < g.length; i++) {
                    g[i] += .25f;
                }
                try (Tensor gradient = Recorded.on(device, y.dtype(), g, y.shape())) {
                    backward = Recorded.listen(device, () -> y.backward(gradient, false));
                }
            }
            return differences(row, mode, made, inputs, y, forward, backward);
        }
    }

    private Tensor forward(String mode, ModuleTable.Made made, Tensor[] inputs, boolean gradients) {
        if (!gradients) {
            try (NoGrad off = new NoGrad()) {
                return made.call().apply(inputs);
            }
        }
        if (mode.contains("16")) {
            try (Autocast on = new Autocast(mode.equals("float16") ? DType.FLOAT16 : DType.BFLOAT16)) {
                return made.call().apply(inputs);
            }
        }
        return made.call().apply(inputs);
    }

    private String differences(JsonObject row, String mode, ModuleTable.Made made, Tensor[] inputs, Tensor y,
            List<Long> forward, List<Long> backward) {
        if (!values) {
            List<Long> recorded = Recorded.trace(row, "fwd_trace");
            boolean same = mode.contains("16")
                    ? Recorded.endInAnyOrder(forward).equals(Recorded.endInAnyOrder(recorded))
                    : forward.equals(recorded);
            boolean sameBack = backward.equals(Recorded.trace(row, "bwd_trace"));
            return same && sameBack
                    ? null
                    : (same ? "" : "forward " + forward + ", recorded " + Recorded.trace(row, "fwd_trace"))
                            + (sameBack
                                    ? ""
                                    : " backward " + backward + ", recorded "
                                            + Recorded.trace(row, "bwd_trace"));
        }
        if (row.get("random").getAsBoolean()) {
            return null;
        }
        // convolutions and recurrent networks of float32 were recorded with TF32, ten bits of mantissa, as PyTorch has it by default
        boolean shortened = row.get("module").getAsString().matches("(Conv|LSTM|GRU|RNN).*");
        double tolerance = shortened ? TF32 : Recorded.tolerance(mode);
        JsonArray out = row.getAsJsonArray("out");
        String difference = Recorded.difference(y, out.get(0).getAsJsonArray(), tolerance);
        if (difference != null || !row.has("grads")) {
            return difference == null ? null : "output: " + difference;
        }
        Map<String, Tensor> leaves = new HashMap<>(this.leaves);
        if (made.module() != null) {
            // names as Python has them
            made.module().namedParameters()
                    .forEach((n, p) -> leaves.put(n.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT), p));
        }
        for (Map.Entry<String, JsonElement> g : row.getAsJsonObject("grads").entrySet()) {
            try (Tensor grad = leaf(leaves, g.getKey()).grad()) {
                if (grad == null) {
                    return g.getKey() + " has no gradient";
                }
                difference = Recorded.difference(grad, g.getValue().getAsJsonArray(), tolerance);
                if (difference != null) {
                    return "gradient of " + g.getKey() + ": " + difference;
                }
            }
        }
        return null;
    }

    /** By PyTorch's name, or that name in Java's case. */
    private static Tensor leaf(Map<String, Tensor> leaves, String name) {
        Tensor found = leaves.get(name);
        return found != null
                ? found
                : leaves.get(java.util.regex.Pattern.compile("_(\\w)").matcher(name)
                        .replaceAll(m -> m.group(1).toUpperCase()));
    }
}
