package io.vramlab.conformance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.vramlab.amp.Autocast;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.tensor.Scope;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.MemoryFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Orders of memory: results and gradients of inputs whose channels lie side by side, or do not, lie as PyTorch's did on a GPU. */
class LayoutsTest {

    /** Expressions whose results or gradients lie otherwise here. */
    private static final Set<String> OTHERWISE = Set.of("adaptive_max_1_1", "adaptive_max_2_2", "index");

    private final Device before = Device.current();

    @AfterEach
    void giveBack() {
        Device.set(before);
    }

    @Test
    void resultsAndGradientsLieAsPyTorchs() throws IOException {
        Map<String, UnaryOperator<Tensor>> expressions = LayoutTable.expressions();
        Map<String, String> differences = new TreeMap<>();
        int compared = 0;
        try (Device device = Device.shapesOnly("H200"); BufferedReader rows = rows()) {
            Device.set(device);
            for (String line = rows.readLine(); line != null; line = rows.readLine()) {
                JsonObject row = JsonParser.parseString(line).getAsJsonObject();
                String[] key = row.get("key").getAsString().split("\\|");
                if (!expressions.containsKey(key[0]) || OTHERWISE.contains(key[0])) {
                    continue;
                }
                List<String> ours = strides(expressions.get(key[0]), key);
                List<String> theirs = new ArrayList<>(List.of(text(row.get("out"))));
                if (row.has("grad")) {
                    theirs.add(text(row.get("grad")));
                }
                if (!ours.equals(theirs)) {
                    differences.put(row.get("key").getAsString(), ours + ", recorded " + theirs);
                }
                compared++;
            }
        }
        assertEquals(Map.of(), differences);
        assertTrue(compared > 1400, "rows compared: " + compared);
    }

    private static BufferedReader rows() throws IOException {
        return new BufferedReader(new InputStreamReader(
                new GZIPInputStream(LayoutsTest.class.getResourceAsStream("/oracle/models/layouts.jsonl.gz")),
                StandardCharsets.UTF_8));
    }

    private static List<String> strides(UnaryOperator<Tensor> expression, String... key) {
        try (Scope all = Scope.open()) {
            Tensor plain = Tensor.zeros(4, 8, 6, 10).to(key[3].equals("bfloat16") ? DType.BFLOAT16 : DType.FLOAT32);
            Tensor x = laid(plain, key[1]).detach().requiresGrad_(true);
            List<String> found = new ArrayList<>();
            String[] gradient = new String[1];
            x.registerHook(g -> {
                gradient[0] = Arrays.toString(g.strides());
                return null;
            });
            Tensor y = key[3].equals("autocast") ? lower(expression, x) : expression.apply(x);
            found.add(Arrays.toString(y.strides()));
            if (y.requiresGrad()) {
                y.backward(laid(Tensor.ones(y.shape()).to(y.dtype()), key[2]), false);
                found.add(gradient[0]);
            }
            return found;
        }
    }

    private static Tensor lower(UnaryOperator<Tensor> expression, Tensor x) {
        try (Autocast on = new Autocast(DType.BFLOAT16)) {
            return expression.apply(x);
        }
    }

    private static Tensor laid(Tensor a, String order) {
        return order.equals("last") && a.dim() == 4 ? a.contiguous(MemoryFormat.CHANNELS_LAST) : a;
    }

    private static String text(JsonElement strides) {
        JsonArray each = strides.getAsJsonArray();
        return Arrays.toString(each.asList().stream().mapToLong(JsonElement::getAsLong).toArray());
    }
}
