package io.vramlab.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.vramlab.autograd.Autograd;
import io.vramlab.device.DType;
import io.vramlab.device.Device;
import io.vramlab.memory.Allocator;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What topk and the gradient of indexed rows take on an H200 besides their results, as recorded of PyTorch 2.11. */
class SortingScratchTest {

    private Device before;
    private Device device;

    @BeforeEach
    void anH200WithoutValues() {
        before = Device.current();
        device = Device.shapesOnly("H200");
        Device.set(device);
    }

    @AfterEach
    void giveBack() {
        Device.set(before);
        device.close();
    }

    private static JsonArray recorded(String part) throws IOException {
        try (InputStream in = new GZIPInputStream(
                SortingScratchTest.class.getResourceAsStream("/oracle/sorting_scratch.json.gz"))) {
            JsonObject all = JsonParser.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .getAsJsonObject();
            return all.getAsJsonArray(part);
        }
    }

    /** "+bytes" for each allocation and "-bytes" for each free while the work runs; its results are closed after it. */
    private String sequence(Supplier<Tensor[]> work) {
        List<String> events = new ArrayList<>();
        MemoryListener listener = new MemoryListener() {
            @Override
            public void allocated(long address, long bytes, long requested, long stream, int site) {
                events.add("+" + requested);
            }

            @Override
            public void freed(long address, long bytes, long requested, long stream, int site) {
                events.add("-" + requested);
            }
        };
        Allocator allocator = Allocators.of(device);
        allocator.addListener(listener);
        try {
            Tensor[] results = work.get();
            allocator.removeListener(listener);
            for (Tensor t : results) {
                t.close();
            }
        } finally {
            allocator.removeListener(listener);
        }
        return String.join(" ", events);
    }

    @Test
    void topkOverManyBlocksTakesItsBuffersAndFewBlocksTakeNone() throws IOException {
        int compared = 0;
        for (JsonElement e : recorded("topk")) {
            JsonArray row = e.getAsJsonArray();
            DType dtype = Arrays.stream(DType.values()).filter(d -> d.label().equals(row.get(2).getAsString()))
                    .findFirst().orElseThrow();
            try (Tensor x = Tensor.empty(TensorOptions.of(dtype), row.get(0).getAsLong(), row.get(1).getAsLong())) {
                String now = sequence(() -> Functional.topk(x, row.get(3).getAsLong(), -1, true));
                // of some only the end was recorded
                assertTrue(now.endsWith(row.get(4).getAsString()), () -> row + " but " + now);
                compared++;
            }
        }
        assertEquals(53, compared);
    }

    @Test
    void theGradientOfIndexedRowsSortsTheIndices() throws IOException {
        int compared = 0;
        for (JsonElement e : recorded("index")) {
            JsonArray row = e.getAsJsonArray();
            TensorOptions leaf = TensorOptions.of(DType.FLOAT32).requiresGrad(true);
            try (Tensor w = Tensor.empty(leaf, row.get(1).getAsLong(), row.get(2).getAsLong());
                    Tensor index = Tensor.empty(TensorOptions.of(DType.INT64), row.get(0).getAsLong());
                    Tensor y = Functional.index(w, index);
                    Tensor g = y.onesLike()) {
                assertEquals(row.get(3).getAsString(), sequence(() -> Autograd.grad(y, g, true, w)), row::toString);
                compared++;
            }
        }
        assertEquals(31, compared);
    }
}
