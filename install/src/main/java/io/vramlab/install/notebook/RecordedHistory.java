package io.vramlab.install.notebook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
 * The history that {@code %bug_report on} left in a notebook, of one GPU from when it was chosen.
 *
 * @param parts its parts, in order
 */
public record RecordedHistory(List<RecordedPart> parts) {

    private static final long MOST_BYTES = 1L << 50;
    /** Blocks of a replay get addresses of their own, this far apart. */
    private static final long APART = 1L << 12;

    /** A history as a snapshot, and the cell of each of its events. */
    public record Told(MemorySnapshot snapshot, int[] cells) {
    }

    /** Whether a notebook holds a history, whole or not. */
    public static boolean isIn(NotebookFile notebook) {
        return notebook.cells().stream().flatMap(cell -> cell.outputs().stream())
                .anyMatch(output -> output.name().contains(RecordedPart.TYPE));
    }

    /**
     * Reads a notebook's histories, by GPU.
     *
     * @throws NotebookException when the notebook holds none, or one that was cut off or altered: one line
     */
    public static List<RecordedHistory> read(Path file) {
        NotebookFile.read(file); // says what is wrong with the notebook as such
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
        if (parts.isEmpty()) {
            throw new NotebookException(file + " holds no recorded history; %bug_report on records one.");
        }
        return chained(file, parts);
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

    /**
     * One history for each GPU, and another where a GPU of the same name was chosen anew or recording was switched on again;
     * each in the order in which it was recorded, whatever the order of the cells.
     */
    private static List<RecordedHistory> chained(Path file, List<RecordedPart> parts) {
        List<RecordedHistory> histories = new ArrayList<>();
        Map<String, RecordedPart> after = new HashMap<>();
        for (RecordedPart part : parts) {
            if (!part.previous().isEmpty() && after.put(part.previous(), part) != null) {
                throw new NotebookException(file + ": a part of the recorded history is there twice.");
            }
        }
        Set<String> begun = new HashSet<>();
        int used = 0;
        for (RecordedPart first : parts) {
            if (first.previous().isEmpty()) {
                if (!begun.add(first.checksum())) {
                    throw new NotebookException(file + ": a part of the recorded history is there twice.");
                }
                List<RecordedPart> order = new ArrayList<>();
                for (RecordedPart next = first; next != null; next = after.get(next.checksum())) {
                    order.add(next);
                }
                used += order.size();
                histories.add(new RecordedHistory(List.copyOf(order)));
            }
        }
        if (used < parts.size()) {
            throw new NotebookException(file + ": the recorded history has gaps after " + used
                    + (used == 1 ? " part" : " parts") + "; cells were deleted, copied or run again after it.");
        }
        histories.sort(Comparator.comparing(history -> history.parts().getFirst().device()));
        return histories;
    }

    /** Whether recording ended before the notebook did, because the file had grown by as much as it may. */
    public boolean ended() {
        return parts.getLast().ended();
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
        Map<Long, Long> live = new HashMap<>();
        HeldMemory held = new HeldMemory();
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
                    case GAIN -> trace.add(event("segment_alloc", held.gain(number), number));
                    case RELEASE -> {
                        if (!held.holds(number)) {
                            throw impossible(part, i);
                        }
                        held.release(number).forEach(
                                piece -> trace.add(event("segment_unmap", piece.address(), piece.bytes())));
                    }
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
                        + " frees or gives back what is not there, or has no possible size.");
    }

    private static Map<String, Object> event(String action, long address, long size) {
        return Map.of("action", action, action.equals("oom") ? "device_free" : "addr", address, "size", size, "stream",
                0L);
    }
}
