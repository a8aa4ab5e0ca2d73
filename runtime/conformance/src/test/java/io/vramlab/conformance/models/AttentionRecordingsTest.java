package io.vramlab.conformance.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vramlab.autograd.NoGrad;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.footprint.AttentionBackend;
import io.vramlab.tensor.Functional;
import io.vramlab.tensor.Tensor;
import io.vramlab.tensor.type.SdpaKernel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Attention as recorded on an H200 (oracle/models/libraries.py): the kernel chosen, every allocation in order, values. */
class AttentionRecordingsTest {

    /** torch._fused_sdp_choice's numbers. */
    private static final List<AttentionBackend> NUMBERS = List.of(AttentionBackend.MATH, AttentionBackend.FLASH,
            AttentionBackend.EFFICIENT, AttentionBackend.CUDNN);
    private static final int SAMPLE = 23;
    /** Multiplications of one product in a row whose values are compared in verify. */
    private static final long SMALL = 1L << 18;

    private final List<String> differences = new ArrayList<>();
    private Device device;
    private boolean values;

    /** A recorded question. */
    private record Case(long batch, long heads, long kv, long queries, long keys, long size, String mask,
            double dropout,
            String backend) {

        static Case of(JsonArray q) {
            return new Case(q.get(0).getAsLong(), q.get(1).getAsLong(), q.get(2).getAsLong(), q.get(3).getAsLong(),
                    q.get(4).getAsLong(), q.get(5).getAsLong(), q.get(6).getAsString(), q.get(7).getAsDouble(),
                    q.get(8).getAsString());
        }

        long products() {
            return batch * heads * queries * keys * size;
        }
    }

    @AfterEach
    void close() {
        Device.set(Device.cpu());
        device.close();
    }

    @Test
    @Tag("long")
    void attentionTakesWhatPyTorchTakes() {
        device = Device.shapesOnly("H200");
        assertTrue(compare(1, Long.MAX_VALUE, "") > 1_000);
        assertEquals("", String.join("\n", differences));
    }

    @Test
    void aSampleOfAttentionTakesWhatPyTorchTakes() {
        device = Device.shapesOnly("H200");
        assertTrue(compare(SAMPLE, Long.MAX_VALUE, "") > 40);
        assertEquals("", String.join("\n", differences));
    }

    @Test
    void smallAttentionGivesTheValuesOfPyTorch() {
        device = Device.simulated("H200");
        values = true;
        assertTrue(compare(1, SMALL, "") > 50);
        assertEquals("", String.join("\n", differences));
    }

    @Test
    @Tag("long")
    void attentionGivesTheValuesOfPyTorch() {
        device = Device.simulated("H200");
        values = true;
        assertTrue(compare(1, Long.MAX_VALUE, "float32") > 150);
        assertEquals("", String.join("\n", differences));
    }

    private int compare(int step, long most, String mode) {
        List<JsonObject> rows = Recorded.rows("attention");
        int compared = 0;
        for (int i = 0; i < rows.size(); i += step) {
            Case c = Case.of(rows.get(i).getAsJsonArray("q"));
            boolean comparable = !values || c.dropout == 0;
            if (c.products() <= most && comparable && rows.get(i).get("mode").getAsString().contains(mode)) {
                compare(rows.get(i), c);
                compared++;
            }
        }
        return compared;
    }

    private void compare(JsonObject row, Case c) {
        DType dtype = DType.valueOf(row.get("mode").getAsString().toUpperCase(Locale.ROOT));
        boolean gradients = row.get("key").getAsString().endsWith("|grad");
        Map<String, Tensor> leaves = leaves(c, dtype, gradients);
        String difference;
        try (Tensor mask = mask(c, dtype, leaves)) {
            difference = choice(row, c, leaves, mask);
            if (difference == null) {
                difference = run(row, c, leaves, mask, gradients);
            }
        } catch (RuntimeException e) {
            difference = "failed: " + e;
        }
        leaves.values().forEach(Tensor::close);
        if (difference != null) {
            differences.add(row.get("key").getAsString() + " :: " + difference);
        }
    }

    private Map<String, Tensor> leaves(Case c, DType dtype, boolean gradients) {
        Map<String, Tensor> leaves = new LinkedHashMap<>();
        boolean turned = c.mask.equals("transposed");
        leaves.put("q", made(1, dtype, gradients, shape(turned, c.batch, c.heads, c.queries, c.size)));
        leaves.put("k", made(2, dtype, gradients, shape(turned, c.batch, c.kv, c.keys, c.size)));
        leaves.put("v", made(3, dtype, gradients, shape(turned, c.batch, c.kv, c.keys, c.size)));
        if (c.mask.equals("maskgrad")) {
            leaves.put("m", made(4, dtype, gradients, 1, c.heads, c.queries, c.keys));
        }
        return leaves;
    }

    private static long[] shape(boolean turned, long batch, long heads, long length, long size) {
        return turned ? new long[]{batch, length, heads, size} : new long[]{batch, heads, length, size};
    }

    private Tensor made(long seed, DType dtype, boolean gradients, long... shape) {
        Tensor t = Recorded.on(device, dtype, Recorded.value(Recorded.count(shape), seed), shape);
        return gradients ? t.requiresGrad_(true) : t;
    }

    private Tensor mask(Case c, DType dtype, Map<String, Tensor> leaves) {
        return switch (c.mask) {
            case "bool" -> visible(c.keys, c.queries, c.keys);
            case "key" -> visible(c.keys, c.batch, 1, 1, c.keys);
            case "float" -> made(4, dtype, false, c.queries, c.keys);
            case "expanded" -> made(4, dtype, false, c.batch, c.heads, c.queries, c.keys);
            case "maskgrad" -> leaves.get("m");
            default -> null;
        };
    }

    /** value() over -0.3, and the first of each row. */
    private Tensor visible(long row, long... shape) {
        float[] v = Recorded.value(Recorded.count(shape), 4);
        boolean[] seen = new boolean[v.length];
        for (int i = 0; i < v.length; i++) {
            seen[i] = v[i] > -.3f || i % row == 0;
        }
        Device.set(Device.cpu());
        try (Tensor flat = Tensor.of(seen); Tensor host = flat.view(shape)) {
            return host.to(device);
        } finally {
            Device.set(device);
        }
    }

    private static String choice(JsonObject row, Case c, Map<String, Tensor> leaves, Tensor mask) {
        JsonElement number = row.get("choice");
        if (number == null || number.isJsonNull() || c.mask.equals("transposed")) {
            return null;
        }
        AttentionBackend recorded = NUMBERS.get(number.getAsInt());
        AttentionBackend chosen = Functional.fusedSdpChoice(leaves.get("q"), leaves.get("k"), leaves.get("v"), mask,
                c.dropout, c.mask.equals("causal"), c.heads != c.kv);
        return chosen == recorded ? null : "chooses " + chosen + ", recorded " + recorded;
    }

    private String run(JsonObject row, Case c, Map<String, Tensor> leaves, Tensor mask, boolean gradients) {
        Tensor[] out = new Tensor[1];
        List<Long> forward = Recorded.listen(device, () -> out[0] = forward(c, leaves, mask, gradients));
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
            return values ? values(row, leaves, y) : takings(row, forward, backward);
        }
    }

    private Tensor forward(Case c, Map<String, Tensor> leaves, Tensor mask, boolean gradients) {
        if (!gradients) {
            try (NoGrad off = new NoGrad()) {
                return attention(c, leaves, mask);
            }
        }
        return attention(c, leaves, mask);
    }

    private static Tensor attention(Case c, Map<String, Tensor> leaves, Tensor mask) {
        boolean causal = c.mask.equals("causal");
        AttentionBackend[] allowed = c.backend.equals("default")
                ? AttentionBackend.values()
                : new AttentionBackend[]{AttentionBackend.valueOf(c.backend.toUpperCase(Locale.ROOT))};
        try (SdpaKernel these = new SdpaKernel(allowed)) {
            if (!c.mask.equals("transposed")) {
                return Functional.scaledDotProductAttention(leaves.get("q"), leaves.get("k"), leaves.get("v"), mask,
                        c.dropout, causal, null, c.heads != c.kv);
            }
            try (Tensor q = leaves.get("q").transpose(1, 2);
                    Tensor k = leaves.get("k").transpose(1, 2);
                    Tensor v = leaves.get("v").transpose(1, 2)) {
                return Functional.scaledDotProductAttention(q, k, v, null, c.dropout, false, null, c.heads != c.kv);
            }
        }
    }

    private static String takings(JsonObject row, List<Long> forward, List<Long> backward) {
        boolean same = forward.equals(Recorded.trace(row, "fwd_trace"));
        boolean sameBack = backward.equals(Recorded.trace(row, "bwd_trace"));
        return same && sameBack
                ? null
                : (same ? "" : "forward " + forward + ", recorded " + Recorded.trace(row, "fwd_trace"))
                        + (sameBack ? "" : " backward " + backward + ", recorded " + Recorded.trace(row, "bwd_trace"));
    }

    private static String values(JsonObject row, Map<String, Tensor> leaves, Tensor y) {
        double tolerance = Recorded.tolerance(row.get("mode").getAsString());
        String difference = Recorded.difference(y, row.getAsJsonArray("out").get(0).getAsJsonArray(), tolerance);
        if (difference != null || !row.has("grads")) {
            return difference == null ? null : "output: " + difference;
        }
        boolean single = leaves.get("q").size(2) == 1 && row.get("key").getAsString().contains("|causal|");
        for (Map.Entry<String, JsonElement> g : row.getAsJsonObject("grads").entrySet()) {
            if (single && !g.getKey().equals("v")) {
                continue; // one key is seen, and what is recorded of its score's gradient, zero, are roundings
            }
            try (Tensor grad = leaves.get(g.getKey()).grad()) {
                difference = Recorded.difference(grad, g.getValue().getAsJsonArray(), tolerance);
            }
            if (difference != null) {
                return "gradient of " + g.getKey() + ": " + difference;
            }
        }
        return null;
    }
}
