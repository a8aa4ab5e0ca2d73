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
import io.vramlab.lifetime.Spelled;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Functions as recorded on an H200 (oracle/models/functions.py): each expression in the spelling of oracle/models/functions.txt,
 * compiled and counted as a cell is, with every allocation in order, forward and backward, and values.
 */
class FunctionRecordingsTest {

    private final Device device = Device.simulated("H200");
    private final List<String> memory = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private int compared;

    @AfterEach
    void close() {
        Lifetimes.count(false);
        Device.set(Device.cpu());
        device.close();
    }

    @Test
    @Tag("long")
    void functionsTakeWhatPyTorchTakesAndGiveItsValues() throws Exception {
        Map<String, String> spelled = spelled();
        Spelled program = Spelled.of(List.copyOf(spelled.values()));
        List<String> expressions = List.copyOf(spelled.keySet());
        Lifetimes.count(true);
        Device.set(device);
        List<JsonObject> rows = new ArrayList<>(Recorded.rows("functions"));
        rows.addAll(Recorded.rows("sparse").stream().filter(row -> row.has("expression")).toList());
        rows.addAll(Recorded.rows("einsum"));
        rows.addAll(Recorded.rows("options"));
        String only = System.getProperty("functions.only", "");
        for (JsonObject row : rows) {
            int number = expressions.indexOf(row.get("expression").getAsString());
            if (number >= 0 && !row.has("error") && row.get("expression").getAsString().contains(only)) {
                compare(row, program, number);
            }
        }
        if (Boolean.getBoolean("functions.show")) {
            System.out.println("compared " + compared + "\nMEMORY " + memory.size() + "\n" + String.join("\n", memory)
                    + "\nVALUES " + values.size() + "\n" + String.join("\n", values));
        }
        assertTrue(compared > 2200, "rows compared: " + compared);
        assertEquals(DifferingFunctions.MEMORY, expressions(memory), String.join("\n", memory));
        DifferingFunctions.VALUES.hold(expressions(values), String.join("\n", values));
    }

    private static TreeSet<String> expressions(List<String> differences) {
        return new TreeSet<>(differences.stream().map(d -> d.split(" :: ")[0]).toList());
    }

    /** PyTorch's expressions, each with ours. */
    static Map<String, String> spelled() throws IOException {
        try (InputStream in = FunctionRecordingsTest.class.getResourceAsStream("/oracle/models/functions.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(line -> line.split("\t"))
                    .collect(Collectors.toMap(part -> part[0], part -> part[1], (x, y) -> x, LinkedHashMap::new));
        }
    }

    private void compare(JsonObject row, Spelled program, int number) {
        String mode = row.get("mode").getAsString();
        boolean gradients = !mode.equals("nograd");
        DType dtype = mode.equals("float16")
                ? DType.FLOAT16
                : mode.equals("bfloat16") ? DType.BFLOAT16 : DType.FLOAT32;
        Tensor[] inputs = new Tensor[4];
        int k = 0;
        for (JsonElement text : row.getAsJsonArray("inputs")) {
            inputs[k] = input(text.getAsString(), k + 1, gradients, dtype);
            if (inputs[k++] == null) {
                return;
            }
        }
        compared++;
        String key = row.get("expression").getAsString() + " :: " + mode + " "
                + row.getAsJsonArray("inputs").toString() + " :: ";
        try {
            run(row, program, number, inputs, gradients, key);
        } catch (RuntimeException | Error e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            memory.add(key + "failed: " + cause);
        } finally {
            for (Tensor input : inputs) {
                if (input != null) {
                    input.close();
                }
            }
        }
    }

    private Tensor input(String text, int seed, boolean gradients, DType dtype) {
        Tensor made = Recorded.input(device, text, seed, gradients, dtype);
        if (made == null || made.dtype() == dtype || !made.dtype().isFloatingPoint()) {
            return made;
        }
        try (Tensor detached = made.detach(); Tensor host = detached.cpu(); Tensor converted = host.to(dtype)) {
            Tensor there = converted.to(device);
            boolean leaf = made.requiresGrad();
            made.close();
            return leaf ? there.requiresGrad_(true) : there;
        }
    }

    private void run(JsonObject row, Spelled program, int number, Tensor[] inputs, boolean gradients, String key) {
        Tensor[][] out = new Tensor[1][];
        List<Long> forward = Recorded.listen(device, () -> {
            if (row.get("mode").getAsString().equals("autocast")) {
                try (Autocast lower = new Autocast(DType.BFLOAT16)) {
                    out[0] = program.run(number, inputs);
                }
            } else if (gradients) {
                out[0] = program.run(number, inputs);
            } else {
                try (NoGrad off = new NoGrad()) {
                    out[0] = program.run(number, inputs);
                }
            }
        });
        try {
            List<Long> backward = row.has("bwd") ? backward(row, out[0]) : List.of();
            List<Long> then = Recorded.trace(row, "fwd_trace");
            List<Long> thenBack = Recorded.trace(row, "bwd_trace");
            if (!forward.equals(then) || !backward.equals(thenBack)) {
                memory.add(key + (forward.equals(then) ? "" : "forward " + forward + ", recorded " + then)
                        + (backward.equals(thenBack) ? "" : " backward " + backward + ", recorded " + thenBack));
            }
            if (!row.get("random").getAsBoolean()) {
                String difference = difference(row, out[0], inputs);
                if (difference != null) {
                    values.add(key + difference);
                }
            }
        } finally {
            for (Tensor t : out[0]) {
                t.close();
            }
        }
    }

    private List<Long> backward(JsonObject row, Tensor[] outs) {
        Tensor y = outs[row.get("from").getAsInt()];
        float[] g = Recorded.value(y.numel(), 77);
        for (int i = 0; i < g.length; i++) {
            g[i] += .25f;
        }
        try (Tensor host = Tensor.of(TensorOptions.on(Device.cpu()), g, y.shape());
                Tensor converted = host.to(y.dtype());
                Tensor gradient = converted.to(device)) {
            return Recorded.listen(device, () -> y.backward(gradient, false));
        }
    }

    private static String difference(JsonObject row, Tensor[] outs, Tensor[] inputs) {
        JsonArray then = row.getAsJsonArray("out");
        double tolerance = Recorded.tolerance(row.get("mode").getAsString());
        if (then.size() != outs.length) {
            return "results: " + outs.length + ", recorded " + then.size();
        }
        for (int i = 0; i < outs.length; i++) {
            String difference = Recorded.difference(outs[i], then.get(i).getAsJsonArray(), tolerance);
            if (difference != null) {
                return "result " + i + ": " + difference;
            }
        }
        if (row.has("grads")) {
            for (Map.Entry<String, JsonElement> g : row.getAsJsonObject("grads").entrySet()) {
                try (Tensor grad = inputs[g.getKey().charAt(0) - 'a'].grad()) {
                    String difference = grad == null
                            ? "is missing"
                            : Recorded.difference(grad, g.getValue().getAsJsonArray(), tolerance);
                    if (difference != null) {
                        return "gradient of " + g.getKey() + " " + difference;
                    }
                }
            }
        }
        return null;
    }
}
