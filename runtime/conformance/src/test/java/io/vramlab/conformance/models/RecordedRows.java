package io.vramlab.conformance.models;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.TensorOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Rows of a recording of expressions: their inputs, the way back, and what is compared. */
final class RecordedRows {

    private RecordedRows() {
    }

    /** How one tensor is compared with what was recorded of it. */
    interface Comparison {

        /** In words; null if they are equal. */
        String difference(Tensor tensor, JsonArray recorded, double tolerance);
    }

    /** PyTorch's expressions of a recording, each with ours. */
    static Map<String, String> spelled(String name) throws IOException {
        try (InputStream in = RecordedRows.class.getResourceAsStream("/oracle/models/" + name + ".txt")) {
            assertNotNull(in, name);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(line -> line.split("\t"))
                    .collect(Collectors.toMap(part -> part[0], part -> part[1], (x, y) -> x, LinkedHashMap::new));
        }
    }

    /** The expressions that were told to differ somewhere. */
    static TreeSet<String> expressions(List<String> differences) {
        return new TreeSet<>(differences.stream().map(d -> d.split(" :: ")[0]).toList());
    }

    /** An input by its text, in that dtype if it is a floating one; null if the text is of no kind that is known here. */
    static Tensor input(Device device, String text, int seed, boolean gradients, DType dtype) {
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

    /** Backward from the result that the row names, by the gradient of the recorder; what it allocates and frees. */
    static List<Long> backward(Device device, JsonObject row, Tensor[] outs) {
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

    /** How the events of both directions differ from the recorded ones; empty if they do not. */
    static String memory(List<Long> forward, List<Long> then, List<Long> backward, List<Long> thenBack) {
        if (forward.equals(then) && backward.equals(thenBack)) {
            return "";
        }
        return (forward.equals(then) ? "" : "forward " + forward + ", recorded " + then)
                + (backward.equals(thenBack) ? "" : " backward " + backward + ", recorded " + thenBack);
    }

    /** The first result or gradient that is not as recorded, in words; null if there is none. */
    static String difference(JsonObject row, Tensor[] outs, Tensor[] inputs, Comparison comparison) {
        JsonArray then = row.getAsJsonArray("out");
        double tolerance = Recorded.tolerance(row.get("mode").getAsString());
        if (then.size() != outs.length) {
            return "results: " + outs.length + ", recorded " + then.size();
        }
        for (int i = 0; i < outs.length; i++) {
            String difference = comparison.difference(outs[i], then.get(i).getAsJsonArray(), tolerance);
            if (difference != null) {
                return "result " + i + ": " + difference;
            }
        }
        if (row.has("grads")) {
            for (Map.Entry<String, JsonElement> g : row.getAsJsonObject("grads").entrySet()) {
                try (Tensor grad = inputs[g.getKey().charAt(0) - 'a'].grad()) {
                    String difference = grad == null
                            ? "is missing"
                            : comparison.difference(grad, g.getValue().getAsJsonArray(), tolerance);
                    if (difference != null) {
                        return "gradient of " + g.getKey() + " " + difference;
                    }
                }
            }
        }
        return null;
    }
}
