package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryListener;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** The gradient of an embedding takes what PyTorch's took on an H200: 1 to 1,000,000 indices, widths, rows, two dtypes. */
class EmbeddingGradientTest {

    @Test
    void takesAndGivesBackWhatPyTorchsDoes() throws Exception {
        Device before = Device.current();
        try (Device device = Device.shapesOnly("H200");
                Reader file = new InputStreamReader(
                        new GZIPInputStream(
                                EmbeddingGradientTest.class.getResourceAsStream("/oracle/embedding_gradients.json.gz")),
                        StandardCharsets.UTF_8)) {
            Device.set(device);
            JsonArray rows = JsonParser.parseReader(file).getAsJsonArray();
            assertEquals(522, rows.size());
            for (JsonElement row : rows) {
                JsonArray r = row.getAsJsonArray();
                DType dtype = r.get(3).getAsString().equals("float16") ? DType.FLOAT16 : DType.FLOAT32;
                assertEquals(recorded(r.get(4).getAsJsonArray()),
                        taken(device, r.get(0).getAsLong(), r.get(1).getAsLong(), r.get(2).getAsLong(), dtype),
                        () -> r.get(0) + " indices of " + r.get(2) + " rows of " + r.get(1) + " " + r.get(3));
            }
        } finally {
            Device.set(before);
        }
    }

    private static List<Long> taken(Device device, long indices, long width, long rows, DType dtype) {
        List<Long> sizes = new ArrayList<>();
        MemoryListener listener = new MemoryListener() {
            @Override
            public void allocated(long address, long bytes, long requested, long stream, int site) {
                sizes.add(requested);
            }

            @Override
            public void freed(long address, long bytes, long requested, long stream, int site) {
                sizes.add(-requested);
            }
        };
        try (Tensor weight = Tensor.empty(TensorOptions.of(dtype).requiresGrad(true), rows, width);
                Tensor at = Tensor.empty(TensorOptions.of(DType.INT64), indices);
                Tensor out = Functional.embedding(at, weight);
                Tensor gradient = out.onesLike()) {
            Allocators.of(device).addListener(listener);
            out.backward(gradient, false);
            Allocators.of(device).removeListener(listener);
        }
        return sizes;
    }

    private static List<Long> recorded(JsonArray trace) {
        List<Long> sizes = new ArrayList<>();
        for (JsonElement e : trace) {
            long bytes = e.getAsJsonArray().get(1).getAsLong();
            sizes.add(e.getAsJsonArray().get(0).getAsString().equals("alloc") ? bytes : -bytes);
        }
        return sizes;
    }
}
