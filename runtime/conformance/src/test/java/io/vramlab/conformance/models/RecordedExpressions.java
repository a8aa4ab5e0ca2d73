package io.vramlab.conformance.models;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
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

/**
 * A recording of expressions beside ours: each in the spelling of a table, compiled and counted as a cell is, with every allocation
 * in order, forward and backward, and values.
 */
final class RecordedExpressions implements AutoCloseable {

    /** A few last places of a float of size 1. */
    private static final double ROUNDING = 3e-7;

    /** Kinds of inputs of factors.py's own. */
    private static final String MATRICES = "ehyg";

    private final Device device = Device.simulated("H200");
    private final List<String> memory = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private int compared;

    /** Compares all rows of a recording that the table of the same name spells. */
    RecordedExpressions compare(String name) throws Exception {
        Map<String, String> spelled = spelled(name);
        Spelled program = Spelled.of(List.copyOf(spelled.values()));
        List<String> expressions = List.copyOf(spelled.keySet());
        Lifetimes.count(true);
        Device.set(device);
        String only = System.getProperty("expressions.only", "");
        for (JsonObject row : Recorded.rows(name)) {
            if (!row.has("expression") || row.has("error") || !row.get("key").getAsString().contains(only)) {
                continue;
            }
            int number = expressions.indexOf(row.get("expression").getAsString());
            if (number >= 0) {
                compare(row, program, number);
            }
        }
        if (Boolean.getBoolean("expressions.show")) {
            System.out.println("compared " + compared + "\nMEMORY " + memory.size() + "\n" + String.join("\n", memory)
                    + "\nVALUES " + values.size() + "\n" + String.join("\n", values));
        }
        return this;
    }

    int compared() {
        return compared;
    }

    /** The expressions that differ in memory somewhere; {@code all} tells each difference. */
    TreeSet<String> memory() {
        return expressions(memory);
    }

    TreeSet<String> values() {
        return expressions(values);
    }

    String told() {
        return String.join("\n", memory) + "\n" + String.join("\n", values);
    }

    private static TreeSet<String> expressions(List<String> differences) {
        return new TreeSet<>(differences.stream().map(d -> d.split(" :: ")[0]).toList());
    }

    private static Map<String, String> spelled(String name) throws IOException {
        try (InputStream in = RecordedExpressions.class.getResourceAsStream("/oracle/models/" + name + ".txt")) {
            assertNotNull(in, name);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().map(line -> line.split("\t"))
                    .collect(Collectors.toMap(part -> part[0], part -> part[1], (x, y) -> x, LinkedHashMap::new));
        }
    }

    private void compare(JsonObject row, Spelled program, int number) {
        String mode = row.get("mode").getAsString();
        boolean gradients = !mode.equals("nograd");
        DType dtype = mode.equals("float64")
                ? DType.FLOAT64
                : mode.equals("float16")
                        ? DType.FLOAT16
                        : mode.equals("bfloat16") ? DType.BFLOAT16 : DType.FLOAT32;
        Tensor[] inputs = new Tensor[4];
        int k = 0;
        for (JsonElement text : row.getAsJsonArray("inputs")) {
            inputs[k] = input(text.getAsString(), k + 1, gradients, dtype);
            k++;
        }
        compared++;
        String key = row.get("expression").getAsString() + " :: " + mode + " "
                + row.getAsJsonArray("inputs").toString() + " :: ";
        try {
            run(row, program, number, inputs, gradients, key);
        } catch (RuntimeException | Error e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            memory.add(key + "failed: " + cause
                    + (Boolean.getBoolean("expressions.show")
                            ? " at " + List.of(cause.getStackTrace()).subList(0, 4)
                            : ""));
        } finally {
            for (Tensor input : inputs) {
                if (input != null) {
                    input.close();
                }
            }
        }
    }

    private Tensor input(String text, int seed, boolean gradients, DType dtype) {
        if (MATRICES.indexOf(text.charAt(0)) >= 0) {
            return matrices(text, seed, gradients, dtype);
        }
        Tensor made = Recorded.input(device, text, seed, gradients, dtype);
        if (made.dtype() == dtype || !made.dtype().isFloatingPoint()) {
            return made;
        }
        try (Tensor detached = made.detach(); Tensor host = detached.cpu(); Tensor converted = host.to(dtype)) {
            Tensor there = converted.to(device);
            boolean leaf = made.requiresGrad();
            made.close();
            return leaf ? there.requiresGrad_(true) : there;
        }
    }

    /** Matrices that can be factored, as factors.py makes them. */
    private Tensor matrices(String text, int seed, boolean gradients, DType dtype) {
        String[] part = text.split(" ");
        long[] shape = new long[part.length - 1];
        for (int i = 0; i < shape.length; i++) {
            shape[i] = Long.parseLong(part[i + 1]);
        }
        char kind = part[0].charAt(0);
        int n = (int) shape[shape.length - 1];
        float[] value = Recorded.value(Recorded.count(shape), seed);
        float[] made = value.clone();
        for (int i = 0; i < made.length; i++) {
            int column = i % n;
            int row = i / n % n;
            if (kind == 'h' || kind == 'y') {
                made[i] = value[i] + value[i + (column - row) * n + (row - column)];
            }
            if (row == column) {
                made[i] += kind == 'h' ? n : kind == 'y' ? .3f * row : 4;
            }
            if (kind == 'g' && column > row) {
                made[i] = 0;
            }
        }
        return Recorded.on(device, dtype, made, shape).requiresGrad_(gradients);
    }

    private void run(JsonObject row, Spelled program, int number, Tensor[] inputs, boolean gradients, String key) {
        Tensor[][] out = new Tensor[1][];
        List<Long> taken = Recorded.listen(device, () -> {
            if (gradients) {
                out[0] = program.run(number, inputs);
            } else {
                try (NoGrad off = new NoGrad()) {
                    out[0] = program.run(number, inputs);
                }
            }
        });
        try {
            List<Long> backward = row.has("bwd") ? backward(row, out[0]) : List.of();
            // an object that only a call's frame holds goes with it there, before the frame's variables
            List<Long> forward = Recorded.endInAnyOrder(taken);
            List<Long> then = Recorded.endInAnyOrder(Recorded.trace(row, "fwd_trace"));
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

    /** Where all elements together are next to nothing, only rounding is left of larger terms. */
    private static String difference(Tensor t, JsonArray then, double tolerance) {
        if (then.get(3).getAsDouble() < ROUNDING * t.numel()) {
            try (Tensor host = t.detach().cpu(); Tensor sum = host.toDouble().abs().sum()) {
                return sum.item() < 2 * ROUNDING * t.numel() ? null : "not next to nothing: " + sum.item();
            }
        }
        return Recorded.difference(t, then, tolerance);
    }

    private static String difference(JsonObject row, Tensor[] outs, Tensor[] inputs) {
        JsonArray then = row.getAsJsonArray("out");
        double tolerance = Recorded.tolerance(row.get("mode").getAsString());
        if (then.size() != outs.length) {
            return "results: " + outs.length + ", recorded " + then.size();
        }
        for (int i = 0; i < outs.length; i++) {
            String difference = difference(outs[i], then.get(i).getAsJsonArray(), tolerance);
            if (difference != null) {
                return "result " + i + ": " + difference;
            }
        }
        if (row.has("grads")) {
            for (Map.Entry<String, JsonElement> g : row.getAsJsonObject("grads").entrySet()) {
                try (Tensor grad = inputs[g.getKey().charAt(0) - 'a'].grad()) {
                    String difference = grad == null
                            ? "is missing"
                            : difference(grad, g.getValue().getAsJsonArray(), tolerance);
                    if (difference != null) {
                        return "gradient of " + g.getKey() + " " + difference;
                    }
                }
            }
        }
        return null;
    }

    @Override
    public void close() {
        Lifetimes.count(false);
        Device.set(Device.cpu());
        device.close();
    }
}
