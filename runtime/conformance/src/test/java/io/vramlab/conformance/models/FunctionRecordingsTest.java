package io.vramlab.conformance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.amp.Autocast;
import io.vramlab.autograd.NoGrad;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.lifetime.Spelled;
import io.vramlab.tensor.Lifetimes;
import io.vramlab.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        Map<String, String> spelled = RecordedRows.spelled("functions");
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
        assertEquals(DifferingFunctions.MEMORY, RecordedRows.expressions(memory), String.join("\n", memory));
        DifferingFunctions.VALUES.hold(RecordedRows.expressions(values), String.join("\n", values));
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
            inputs[k] = RecordedRows.input(device, text.getAsString(), k + 1, gradients, dtype);
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
            List<Long> backward = row.has("bwd") ? RecordedRows.backward(device, row, out[0]) : List.of();
            List<Long> then = Recorded.trace(row, "fwd_trace");
            List<Long> thenBack = Recorded.trace(row, "bwd_trace");
            String differing = RecordedRows.memory(forward, then, backward, thenBack);
            if (!differing.isEmpty()) {
                memory.add(key + differing);
            }
            if (!row.get("random").getAsBoolean()) {
                String difference = RecordedRows.difference(row, out[0], inputs, Recorded::difference);
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
}
