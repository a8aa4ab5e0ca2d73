package io.vramlab.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Does what the recorder reports.py did, and expects PyTorch's statistics and texts. */
class ReportsTest {

    private static final long MIB = 1L << 20;
    private static JsonObject recorded;
    private static long total;

    @BeforeAll
    static void read() throws IOException {
        try (InputStream in = new GZIPInputStream(ReportsTest.class.getResourceAsStream("/oracle/reports.json.gz"))) {
            recorded = JsonParser.parseReader(new InputStreamReader(in, StandardCharsets.UTF_8)).getAsJsonObject();
        }
        total = recorded.get("total").getAsLong();
    }

    @Test
    void statisticsSummariesAndOutOfMemoryMessagesAreThoseOfPyTorch() {
        final CachingAllocator allocator = new CachingAllocator(0, new PlannedMemory(total), StreamEvents.IMMEDIATE,
                AllocatorSettings.DEFAULT, List::of);
        allocator.setMemoryFraction(1024 * 1048576.0 / total);
        expect(allocator, "empty");

        allocator.allocate(4_000_000, 0);
        expect(allocator, "one");

        final List<Long> keep = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            keep.add(allocator.allocate(3 * MIB + i * 1000, 0));
        }
        for (int i = 0; i < 300; i++) {
            keep.add(allocator.allocate(1000 + i, 0));
        }
        for (int i = 0; i < keep.size(); i += 2) {
            allocator.free(keep.get(i));
        }
        expect(allocator, "holes");

        allocator.emptyCache();
        expect(allocator, "after_empty_cache");

        final List<String> messages = new ArrayList<>();
        allocator.allocate(600 * MIB, 0);
        for (final long size : new long[]{900 * MIB, 2048 * MIB, 10L << 40}) {
            messages.add(assertThrows(OutOfMemoryException.class, () -> allocator.allocate(size, 0)).getMessage());
        }
        expect(allocator, "after_oom");
        final JsonArray expected = recorded.getAsJsonArray("oom_messages");
        assertEquals(expected.size(), messages.size());
        for (int i = 0; i < messages.size(); i++) {
            assertEquals(withoutFreeAndProcess(expected.get(i).getAsJsonArray().get(2).getAsString()),
                    withoutFreeAndProcess(messages.get(i)));
        }
    }

    /** Free memory and the process's own figure depend on the machine. */
    private static String withoutFreeAndProcess(final String message) {
        return message.replaceAll("of which .* is free\\. (Including .* memory in use\\. )?", "");
    }

    private static void expect(final CachingAllocator allocator, final String name) {
        final JsonObject state = recorded.getAsJsonObject(name);
        final Map<String, Long> stats = new TreeMap<>();
        state.getAsJsonObject("flat").asMap().forEach((key, value) -> stats.put(key, value.getAsLong()));
        assertEquals(stats, allocator.stats().asMap(), name);
        assertEquals(state.get("summary").getAsString(), MemorySummary.text(allocator.stats().asMap(), "0", false));
        assertEquals(state.get("abbreviated").getAsString(), MemorySummary.text(allocator.stats().asMap(), "0", true));
    }

    @Test
    void aRequestOfAnExabyteIsRefusedInPyTorchsWords() {
        final CachingAllocator allocator = new CachingAllocator(0, new PlannedMemory(total), StreamEvents.IMMEDIATE);

        final OutOfMemoryException refusal = assertThrows(OutOfMemoryException.class,
                () -> allocator.allocate(1L << 60, 0));

        assertEquals(recorded.getAsJsonArray("huge").get(1).getAsString(), refusal.getMessage());
        assertEquals(0, allocator.stats().get("num_ooms"));
    }

    @Test
    void settingsAreAcceptedAndRefusedAsByPyTorch() {
        for (final Map.Entry<String, JsonElement> entry : recorded.getAsJsonObject("conf").asMap().entrySet()) {
            String outcome = "ok";
            try {
                AllocatorSettings.DEFAULT.with(entry.getKey());
            } catch (final IllegalArgumentException e) {
                outcome = "ValueError: " + e.getMessage();
            } catch (final IllegalStateException e) {
                outcome = "RuntimeError: " + e.getMessage();
            }
            assertEquals(entry.getValue().getAsString(), outcome, entry.getKey());
        }
    }
}
