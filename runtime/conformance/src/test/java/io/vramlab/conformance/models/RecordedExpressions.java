package io.vramlab.conformance.models;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.autograd.NoGrad;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.lifetime.Spelled;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

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
        Map<String, String> spelled = RecordedRows.spelled(name);
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
        return RecordedRows.expressions(memory);
    }

    TreeSet<String> values() {
        return RecordedRows.expressions(values);
    }

    String told() {
        return String.join("\n", memory) + "\n" + String.join("\n", values);
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
        return MATRICES.indexOf(text.charAt(0)) >= 0
                ? matrices(text, seed, gradients, dtype)
                : RecordedRows.input(device, text, seed, gradients, dtype);
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
            List<Long> backward = row.has("bwd") ? RecordedRows.backward(device, row, out[0]) : List.of();
            // an object that only a call's frame holds goes with it there, before the frame's variables
            List<Long> forward = Recorded.endInAnyOrder(taken);
            List<Long> then = Recorded.endInAnyOrder(Recorded.trace(row, "fwd_trace"));
            List<Long> thenBack = Recorded.trace(row, "bwd_trace");
            String differing = RecordedRows.memory(forward, then, backward, thenBack);
            if (!differing.isEmpty()) {
                memory.add(key + differing);
            }
            if (!row.get("random").getAsBoolean()) {
                String difference = RecordedRows.difference(row, out[0], inputs, RecordedExpressions::difference);
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

    /** Where all elements together are next to nothing, only rounding is left of larger terms. */
    private static String difference(Tensor t, JsonArray then, double tolerance) {
        if (then.get(3).getAsDouble() < ROUNDING * t.numel()) {
            try (Tensor host = t.detach().cpu(); Tensor sum = host.toDouble().abs().sum()) {
                return sum.item() < 2 * ROUNDING * t.numel() ? null : "not next to nothing: " + sum.item();
            }
        }
        return Recorded.difference(t, then, tolerance);
    }

    @Override
    public void close() {
        Lifetimes.count(false);
        Device.set(Device.cpu());
        device.close();
    }
}
