package io.vramlab.install.notebook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;

import io.vramlab.magics.bug.BrokenHistoryException;
import io.vramlab.magics.bug.Events;
import io.vramlab.magics.bug.RecordedPart;
import io.vramlab.memory.MemorySnapshot;

/**
 * The history that {@code %bug_report on} left in a notebook, of one GPU.
 *
 * @param parts its parts, in order
 */
public record RecordedHistory(List<RecordedPart> parts) {

    private static final long MOST_BYTES = 1L << 50;
    /** Blocks and segments of a replay get addresses of their own, this far apart. */
    private static final long APART = 1L << 12;

    /** A history as a snapshot, and the cell of each of its events. */
    public record Told(MemorySnapshot snapshot, int[] cells) {
    }

    /** Whether a notebook holds a history, whole or not. */
    public static boolean isIn(Notebook notebook) {
        return notebook.cells().stream().flatMap(cell -> cell.outputs().stream())
                .anyMatch(output -> output.name().contains(RecordedPart.TYPE));
    }

    /**
     * Reads a notebook's histories, one for each GPU.
     *
     * @throws NotebookException when the notebook holds none, or one that was cut off or altered: one line
     */
    public static List<RecordedHistory> read(Path file) {
        Notebook.read(file); // says what is wrong with the notebook as such
        List<RecordedPart> parts = new ArrayList<>();
        try {
            JsonObject root = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
            for (JsonElement cell : root.getAsJsonArray("cells")) {
                if (cell.getAsJsonObject().get("cell_type").getAsString().equals("code")) {
                    for (JsonElement output : cell.getAsJsonObject().getAsJsonArray("outputs")) {
                        JsonObject data = output.getAsJsonObject().getAsJsonObject("data");
                        if (data != null && data.has(RecordedPart.TYPE)) {
                            parts.add(part(file, data.get(RecordedPart.TYPE), parts.size()));
                        }
                    }
                }
            }
        } catch (IOException | JsonParseException | IllegalStateException | ClassCastException
                | NullPointerException broken) {
            throw new NotebookException(file + " is no notebook: " + broken.getMessage());
        }
        List<String> devices = parts.stream().map(RecordedPart::device).distinct().sorted().toList();
        List<RecordedHistory> histories = new ArrayList<>();
        for (String device : devices) {
            histories.add(chained(file, parts.stream().filter(part -> part.device().equals(device)).toList()));
        }
        if (histories.isEmpty()) {
            throw new NotebookException(file + " holds no recorded history; %bug_report on records one.");
        }
        return histories;
    }

    private static RecordedPart part(Path file, JsonElement element, int before) {
        try {
            JsonElement whole = element.isJsonArray() ? new JsonPrimitive(Output.text(element)) : element;
            return RecordedPart.read(whole);
        } catch (BrokenHistoryException broken) {
            throw new NotebookException(
                    file + ": part " + (before + 1) + " of the recorded history cannot be used, " + broken.getMessage()
                            + ".");
        }
    }

    /** In the order in which they were recorded, whatever the order of the cells. */
    private static RecordedHistory chained(Path file, List<RecordedPart> parts) {
        List<RecordedPart> order = new ArrayList<>();
        String previous = "";
        Set<RecordedPart> left = new HashSet<>(parts);
        while (!left.isEmpty()) {
            String wanted = previous;
            RecordedPart next = left.stream().filter(part -> part.previous().equals(wanted)).findFirst()
                    .orElseThrow(
                            () -> new NotebookException(file + ": the recorded history of " + parts.getFirst().device()
                                    + " has gaps after " + order.size()
                                    + " parts; cells were deleted, copied or run again after it."));
            left.remove(next);
            order.add(next);
            previous = next.checksum();
        }
        if (order.size() < parts.size()) {
            throw new NotebookException(file + ": a part of the recorded history is there twice.");
        }
        return new RecordedHistory(List.copyOf(order));
    }

    /** Whether some of it was left out when it was recorded. */
    public boolean thinned() {
        return parts.stream().anyMatch(RecordedPart::thinned);
    }

    /**
     * As a snapshot's history, for replays.
     *
     * @param until the last cell's number
     * @throws NotebookException when its events cannot have happened: one line
     */
    public Told told(int until) {
        List<Object> trace = new ArrayList<>();
        List<Integer> cells = new ArrayList<>();
        Map<Long, Long> live = new java.util.HashMap<>();
        long block = 0;
        for (RecordedPart part : parts) {
            if (part.cell() > until) {
                break;
            }
            Events events = part.events();
            for (int i = 0; i < events.size(); i++) {
                long number = events.number(i);
                int before = trace.size();
                boolean size = events.kind(i) != Events.Kind.FREE && events.kind(i) != Events.Kind.SKIPPED;
                if (number < 0 || size && number > MOST_BYTES) {
                    throw impossible(part, i);
                }
                switch (events.kind(i)) {
                    case ALLOC -> {
                        live.put(block, number);
                        trace.add(event("alloc", block++ * APART, number));
                    }
                    case FREE -> {
                        Long bytes = live.remove(number);
                        if (bytes == null) {
                            throw impossible(part, i);
                        }
                        trace.add(event("free_requested", number * APART, bytes));
                        trace.add(event("free_completed", number * APART, bytes));
                    }
                    case GAIN -> trace.add(event("segment_alloc", -APART * (trace.size() + 1), number));
                    case RELEASE -> trace.add(event("segment_free", -APART * (trace.size() + 1), number));
                    case OUT_OF_MEMORY -> trace.add(event("oom", 0, number));
                    case SKIPPED -> block = Math.addExact(block, Math.min(number, Integer.MAX_VALUE));
                }
                for (int k = before; k < trace.size(); k++) {
                    cells.add(part.cell());
                }
            }
        }
        if (trace.isEmpty()) {
            throw new NotebookException("Nothing is recorded up to In [" + until + "].");
        }
        return new Told(MemorySnapshot.ofData(Map.of("segments", List.of(), "device_traces", List.of(trace))),
                cells.stream().mapToInt(Integer::intValue).toArray());
    }

    private static NotebookException impossible(RecordedPart part, int event) {
        return new NotebookException(
                "The recorded history of In [" + part.cell() + "] cannot have happened: event " + event
                        + " frees what is not there, or has no possible size.");
    }

    private static Map<String, Object> event(String action, long address, long size) {
        return Map.of("action", action, action.equals("oom") ? "device_free" : "addr", address, "size", size, "stream",
                0L);
    }
}
