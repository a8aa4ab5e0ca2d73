package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.nn.Parameter;
import io.vramlab.tensor.internal.core.Factories;
import io.vramlab.tensor.type.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tensors print as PyTorch 2.11 printed them when it was recorded, and printing disturbs nothing. */
class PrintingTest {

    private static final Map<String, UnaryOperator<Tensor>> WAYS = Map.of("", x -> x, "leaf",
            x -> x.requiresGrad_(true), "parameter", Parameter::new, "frozen",
            x -> new Parameter(x).requiresGrad_(false),
            "t", Tensor::t, "every second", x -> x.slice(1, 0, x.size(1), 2), "row", x -> x.select(0, 1), "expand",
            x -> x.unsqueeze(0).expand(3, x.size(0), x.size(1)));

    private static final Map<String, UnaryOperator<Tensor>> GRADS = Map.ofEntries(Map.entry("", x -> x),
            Map.entry("clone", Tensor::clone), Map.entry("mul", x -> x.mul(1)), Map.entry("add", x -> x.add(0)),
            Map.entry("sub", x -> x.sub(0)), Map.entry("div", x -> x.div(1)), Map.entry("neg", Tensor::neg),
            Map.entry("abs", Tensor::abs), Map.entry("relu", Tensor::relu), Map.entry("view", x -> x.view(-1)),
            Map.entry("t", Tensor::t), Map.entry("transpose", x -> x.transpose(0, 1)),
            Map.entry("permute", x -> x.permute(1, 0)), Map.entry("select", x -> x.select(0, 1)),
            Map.entry("slice", x -> x.slice(1, 1, 3)), Map.entry("unsqueeze", x -> x.unsqueeze(1)),
            Map.entry("squeeze", x -> x.unsqueeze(1).squeeze(1)),
            Map.entry("expand", x -> x.unsqueeze(0).expand(2, x.size(0), x.size(1))), Map.entry("sum", Tensor::sum),
            Map.entry("sum0", x -> x.sum(0)), Map.entry("mean", Tensor::mean), Map.entry("max", Tensor::max),
            Map.entry("amax", x -> x.amax(1)), Map.entry("float64", Tensor::toDouble),
            Map.entry("clamp", x -> x.clamp(-1, 1)), Map.entry("mm", x -> x.mm(eye(x))),
            Map.entry("mul_", x -> x.clone().mul_(1)), Map.entry("triu", x -> x.triu(0)),
            Map.entry("flatten", Tensor::flatten));

    private final Device before = Device.current();
    private final Device gpu = Device.simulated("64MiB");

    @BeforeEach
    void strictly() {
        Device.set(gpu);
        Pressure.strict(true);
    }

    @AfterEach
    void giveBack() {
        Pressure.strict(false);
        Device.set(before);
        gpu.close();
    }

    private static Tensor eye(Tensor x) {
        int n = (int) x.size(1);
        float[] values = new float[n * n];
        for (int i = 0; i < n; i++) {
            values[i * n + i] = 1;
        }
        return Tensor.of(TensorOptions.on(x.device()), values, n, n);
    }

    private static List<JsonObject> recorded(String file) throws IOException {
        try (InputStream in = new GZIPInputStream(PrintingTest.class.getResourceAsStream("/oracle/" + file))) {
            JsonObject all = JsonParser.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .getAsJsonObject();
            assertTrue(all.get("torch").getAsString().startsWith("2.11."), "recorded with another PyTorch");
            return StreamSupport.stream(all.getAsJsonArray("cases").spliterator(), false)
                    .map(JsonElement::getAsJsonObject).toList();
        }
    }

    /** The recorded tensor, bit by bit. */
    private static Tensor tensor(JsonObject recorded, Device device) {
        DType dtype = Arrays.stream(DType.values()).filter(d -> d.label().equals(recorded.get("dtype").getAsString()))
                .findFirst().orElseThrow();
        long[] shape = StreamSupport.stream(recorded.getAsJsonArray("shape").spliterator(), false)
                .mapToLong(JsonElement::getAsLong).toArray();
        byte[] some = HexFormat.of().parseHex(recorded.get("bytes").getAsString());
        int count = (int) Shape.count(shape);
        byte[] all = new byte[count * dtype.bytes()];
        for (int i = 0; i < all.length; i++) {
            all[i] = some[i % some.length];
        }
        return Tensor.wrap(Factories.ofHeap(device, dtype, MemorySegment.ofArray(all), count, shape));
    }

    private static Tensor prepared(JsonObject recorded, Device device) {
        Tensor x = tensor(recorded, device);
        String grad = recorded.get("grad").getAsString();
        if (!grad.isEmpty()) {
            x = GRADS.get(grad).apply(x.requiresGrad_(true));
        }
        return WAYS.get(recorded.get("way").getAsString()).apply(x);
    }

    private static void assertPrinted(JsonObject recorded, Device device) {
        try (Scope s = Scope.open()) {
            JsonObject told = recorded.deepCopy();
            told.remove("text");
            assertEquals(recorded.get("text").getAsString(), prepared(recorded, device).toString(), told.toString());
        }
    }

    @Test
    void aTensorOfTheCpuPrintsAsRecorded() throws IOException {
        List<JsonObject> cases = recorded("printing.json.gz");
        assertEquals(949, cases.size());
        assertAll(cases.stream().map(c -> () -> assertPrinted(c, Device.cpu())));
    }

    @Test
    void aTensorOfAGpuPrintsAsRecorded() throws IOException {
        // recorded on cuda:0, which here may be another index
        Function<JsonObject, JsonObject> here = c -> {
            c.addProperty("text", c.get("text").getAsString().replace("cuda:0", gpu.name()));
            return c;
        };
        List<JsonObject> cases = recorded("printing_on_gpu.json.gz");
        assertEquals(312, cases.size());
        assertAll(cases.stream().map(here).map(c -> () -> assertPrinted(c, gpu)));
    }

    @Test
    void printingTakesNoMemoryOfTheDeviceWherePyTorchTakesSome() throws IOException {
        List<JsonObject> taking = recorded("printing_on_gpu.json.gz").stream()
                .filter(c -> c.get("allocations").getAsLong() > 0).toList();
        assertTrue(taking.size() > 100, "PyTorch allocated for " + taking.size());
        for (JsonObject each : taking) {
            try (Scope s = Scope.open()) {
                Tensor x = prepared(each, gpu);
                int tensors = LiveTensors.open();
                Object figures = Allocators.of(gpu).stats().asMap();
                String first = x.toString();
                assertEquals(first, x.toString());
                assertEquals(figures, Allocators.of(gpu).stats().asMap(), () -> "after printing " + x.describe());
                assertEquals(tensors, LiveTensors.open());
            }
        }
    }

    @Test
    void aClosedTensorSaysSo() {
        Tensor x = Tensor.ones(2, 3);
        x.close();
        assertEquals("Tensor(float32[2, 3] on " + gpu.name() + ", closed)", x.toString());
    }

    @Test
    void aTensorWithoutValuesShowsItsSizeAsPyTorchsMetaTensorsDo() {
        Device shapes = Device.shapesOnly("H200");
        try (Scope s = Scope.open()) {
            TensorOptions there = TensorOptions.on(shapes);
            assertEquals("tensor(..., device='" + shapes.name() + "', size=(2, 3))",
                    Tensor.empty(there, 2, 3).toString());
            assertEquals("tensor(..., device='" + shapes.name() + "', size=(5,), dtype=torch.int64)",
                    Tensor.empty(there.dtype(DType.INT64), 5).toString());
        } finally {
            shapes.close();
        }
    }

    @Tag("loses-device")
    @Test
    void aTensorOfALostDeviceSaysWhatHappenedInsteadOfThrowing() {
        Tensor weight = Tensor.zeros(4, 2);
        Tensor row = Functional.embedding(Tensor.of(9L), weight);
        String text = row.toString();
        assertTrue(
                text.startsWith("Tensor(float32[1, 2] on " + gpu.name() + ", its values cannot be read: CUDA error: "),
                text);
    }
}
