package io.vramlab.magics.bug;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import io.vramlab.device.Device;
import io.vramlab.memory.Allocators;
import io.vramlab.memory.MemoryStats;
import io.vramlab.tensor.LiveTensors;

/**
 * What one GPU's memory came to at the end of a cell.
 *
 * @param statistics the allocator's statistics that are not 0, by PyTorch's names
 * @param tensors the storages that are held, alike ones together, most bytes first
 */
public record StateTables(SortedMap<String, Long> statistics, List<Alike> tensors) {

    /** Neither. */
    static final StateTables NONE = new StateTables(new TreeMap<>(), List.of());

    private static final int MOST_GROUPS = 40;

    /**
     * Tensors that are alike, without any of their values.
     *
     * @param form data type and shape, for instance {@code float32 [1024, 1024]}
     * @param kind what they are for, for instance {@code gradient}
     * @param count how many
     * @param bytes of all of them
     */
    public record Alike(String form, String kind, int count, long bytes) {
    }

    /** Of a GPU, now. */
    static StateTables of(Device device) {
        SortedMap<String, Long> statistics = new TreeMap<>(Allocators.of(device).stats().asMap());
        statistics.values().removeIf(value -> value == 0);
        Map<String, Alike> groups = new HashMap<>();
        for (LiveTensors.Entry entry : LiveTensors.list()) {
            if (entry.device() == device) {
                String form = entry.dtype() == null
                        ? "without an open tensor"
                        : entry.dtype().name().toLowerCase(Locale.ROOT) + " " + Arrays.toString(entry.shape());
                String kind = entry.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
                groups.merge(form + "/" + kind, new Alike(form, kind, 1, entry.bytes()),
                        (a, b) -> new Alike(form, kind, a.count + b.count, a.bytes + b.bytes));
            }
        }
        return new StateTables(statistics, few(groups));
    }

    private static List<Alike> few(Map<String, Alike> groups) {
        List<Alike> sorted = new ArrayList<>(groups.values());
        sorted.sort(Comparator.comparingLong(Alike::bytes).reversed().thenComparing(Alike::form)
                .thenComparing(Alike::kind));
        if (sorted.size() <= MOST_GROUPS) {
            return List.copyOf(sorted);
        }
        List<Alike> rest = sorted.subList(MOST_GROUPS, sorted.size());
        List<Alike> few = new ArrayList<>(sorted.subList(0, MOST_GROUPS));
        few.add(new Alike("of " + rest.size() + " other forms", "", rest.stream().mapToInt(Alike::count).sum(),
                rest.stream().mapToLong(Alike::bytes).sum()));
        return List.copyOf(few);
    }

    /** Whether neither table has a row. */
    public boolean isEmpty() {
        return statistics.isEmpty() && tensors.isEmpty();
    }

    /** All statistics, those that are 0 too. */
    public SortedMap<String, Long> allStatistics() {
        SortedMap<String, Long> all = new TreeMap<>(MemoryStats.none().asMap());
        all.putAll(statistics);
        return all;
    }

    /** As compressed text; empty for none. */
    String packed() {
        if (isEmpty()) {
            return "";
        }
        JsonObject json = new JsonObject();
        JsonObject figures = new JsonObject();
        statistics.forEach(figures::addProperty);
        json.add("statistics", figures);
        JsonArray rows = new JsonArray();
        for (Alike group : tensors) {
            JsonArray row = new JsonArray();
            row.add(group.form);
            row.add(group.kind);
            row.add(group.count);
            row.add(group.bytes);
            rows.add(row);
        }
        json.add("tensors", rows);
        return CompressedText.packed(json.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** Reads {@link #packed}. */
    static StateTables unpacked(String text) throws BrokenHistoryException {
        if (text.isEmpty()) {
            return NONE;
        }
        try {
            JsonObject json = JsonParser
                    .parseString(new String(CompressedText.unpacked(text, "its state tables"), StandardCharsets.UTF_8))
                    .getAsJsonObject();
            SortedMap<String, Long> statistics = new TreeMap<>();
            json.getAsJsonObject("statistics").asMap()
                    .forEach((name, value) -> statistics.put(name, value.getAsLong()));
            List<Alike> tensors = new ArrayList<>();
            for (JsonElement element : json.getAsJsonArray("tensors")) {
                JsonArray row = element.getAsJsonArray();
                tensors.add(new Alike(row.get(0).getAsString(), row.get(1).getAsString(), row.get(2).getAsInt(),
                        row.get(3).getAsLong()));
            }
            return new StateTables(statistics, List.copyOf(tensors));
        } catch (JsonParseException | IllegalStateException | NullPointerException | ClassCastException
                | NumberFormatException | UnsupportedOperationException | IndexOutOfBoundsException
                | StackOverflowError broken) {
            throw new BrokenHistoryException("its state tables are none: something is missing or cut off");
        }
    }
}
