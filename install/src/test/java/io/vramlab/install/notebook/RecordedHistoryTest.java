package io.vramlab.install.notebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import io.vramlab.magics.bug.Events;
import io.vramlab.magics.bug.Events.Kind;
import io.vramlab.magics.bug.RecordedPart;
import io.vramlab.magics.bug.StateTables;
import io.vramlab.memory.TraceAction;

class RecordedHistoryTest {

    private static final long MIB = 1L << 20;

    @TempDir
    private Path folder;

    private static Events events(Object... kindsAndNumbers) {
        Events events = new Events(0);
        for (int i = 0; i < kindsAndNumbers.length; i += 2) {
            events.add((Kind) kindsAndNumbers[i], ((Number) kindsAndNumbers[i + 1]).longValue());
        }
        return events;
    }

    /** What one cell did to a GPU, after another part or as the first. */
    private static RecordedPart part(int cell, String device, RecordedPart before, Events events) {
        return new RecordedPart(cell, device, Map.of("kind", "SIMULATED", "seed", "0"), "", 8L << 30, 0, events.size(),
                before == null ? "" : before.checksum(), events, new StateTables(new TreeMap<>(), List.of()), false);
    }

    private static RecordedPart part(int cell, String device, RecordedPart before) {
        return part(cell, device, before, events(Kind.GAIN, 2 * MIB, Kind.ALLOC, cell));
    }

    /** A notebook that shows each of the parts in a cell of its own. */
    private Path notebook(RecordedPart... parts) throws IOException {
        JsonArray cells = new JsonArray();
        for (RecordedPart part : parts) {
            JsonObject data = new JsonObject();
            data.addProperty(RecordedPart.TYPE, part.json());
            data.addProperty("text/plain", part.text());
            JsonObject output = new JsonObject();
            output.addProperty("output_type", "display_data");
            output.add("data", data);
            output.add("metadata", new JsonObject());
            JsonArray outputs = new JsonArray();
            outputs.add(output);
            JsonObject cell = new JsonObject();
            cell.addProperty("cell_type", "code");
            cell.addProperty("source", "");
            cell.add("metadata", new JsonObject());
            cell.add("outputs", outputs);
            cells.add(cell);
        }
        JsonObject root = new JsonObject();
        root.addProperty("nbformat", 4);
        root.addProperty("nbformat_minor", 5);
        root.add("metadata", new JsonObject());
        root.add("cells", cells);
        return Files.writeString(folder.resolve("recorded.ipynb"), root.toString());
    }

    private static List<List<Integer>> cells(List<RecordedHistory> histories) {
        return histories.stream().map(history -> history.parts().stream().map(RecordedPart::cell).toList()).toList();
    }

    private String refusal(RecordedPart... parts) throws IOException {
        Path file = notebook(parts);
        return assertThrows(NotebookException.class, () -> RecordedHistory.read(file)).getMessage();
    }

    @Test
    void eachGpuHasAHistoryOfItsOwnThoughItsCellsAlternate() throws IOException {
        RecordedPart a = part(1, "cuda:0", null);
        RecordedPart b = part(2, "cuda:1", null);
        RecordedPart afterA = part(3, "cuda:0", a);
        RecordedPart afterB = part(4, "cuda:1", b);
        assertEquals(List.of(List.of(1, 3), List.of(2, 4)),
                cells(RecordedHistory.read(notebook(a, b, afterA, afterB))));
    }

    /** {@code %device 1GiB} after {@code %device 8GiB}: the same name, a fresh GPU, and a first part again. */
    @Test
    void aGpuThatWasChosenAnewUnderTheSameNameBeginsAnotherHistory() throws IOException {
        RecordedPart a = part(1, "cuda:0", null);
        RecordedPart afterA = part(2, "cuda:0", a);
        RecordedPart anew = part(4, "cuda:0", null);
        RecordedPart afterAnew = part(5, "cuda:0", anew);
        List<RecordedHistory> histories = RecordedHistory.read(notebook(a, afterA, anew, afterAnew));
        assertEquals(List.of(List.of(1, 2), List.of(4, 5)), cells(histories));
        // blocks are counted from 0 in each: the second does not free or follow the first's
        assertEquals(4, histories.get(1).told(Integer.MAX_VALUE).snapshot().traces().getFirst().size());
    }

    @Test
    void cellsThatWereMovedDoNotChangeTheOrderInWhichTheyWereRecorded() throws IOException {
        RecordedPart a = part(1, "cuda:0", null);
        RecordedPart b = part(2, "cuda:0", a);
        RecordedPart c = part(3, "cuda:0", b);
        assertEquals(List.of(List.of(1, 2, 3)), cells(RecordedHistory.read(notebook(c, a, b))));
    }

    @Test
    void aMissingPartIsAGapAndNotAShorterHistory() throws IOException {
        RecordedPart a = part(1, "cuda:0", null);
        RecordedPart b = part(2, "cuda:0", a);
        RecordedPart c = part(3, "cuda:0", b);
        assertTrue(refusal(a, c).contains("has gaps after 1 part;"), refusal(a, c));
        assertTrue(refusal(b, c).contains("has gaps after 0 parts;"), refusal(b, c));
    }

    @Test
    void aCopiedPartIsRefusedWhereverItStands() throws IOException {
        RecordedPart a = part(1, "cuda:0", null);
        RecordedPart b = part(2, "cuda:0", a);
        assertTrue(refusal(a, b, b).endsWith("is there twice."));
        assertTrue(refusal(a, a, b).endsWith("is there twice."));
    }

    @Test
    void whatWasLeftOutKeepsLaterBlocksApart() throws IOException {
        // block 0 stays, blocks 1 to 3 were left out, block 4 comes and goes
        RecordedPart thinned = part(1, "cuda:0", null, events(Kind.GAIN, 2 * MIB, Kind.ALLOC, 512, Kind.SKIPPED, 3,
                Kind.ALLOC, 1024, Kind.FREE, 4));
        var trace = RecordedHistory.read(notebook(thinned)).getFirst().told(1).snapshot().traces().getFirst();
        assertEquals(List.of(TraceAction.SEGMENT_ALLOC, TraceAction.ALLOC, TraceAction.ALLOC,
                TraceAction.FREE_REQUESTED, TraceAction.FREE_COMPLETED),
                trace.stream().map(event -> event.action()).toList());
        assertEquals(1024, trace.getLast().size());
        assertEquals(trace.get(2).address(), trace.getLast().address());
    }

    @Test
    void eventsThatCannotHaveHappenedAreRefusedByTheirCell() throws IOException {
        for (Events impossible : List.of(events(Kind.FREE, 0), events(Kind.RELEASE, 2 * MIB),
                events(Kind.ALLOC, Long.MAX_VALUE))) {
            RecordedHistory history = RecordedHistory.read(notebook(part(7, "cuda:0", null, impossible))).getFirst();
            String refused = assertThrows(NotebookException.class, () -> history.told(Integer.MAX_VALUE)).getMessage();
            assertTrue(refused.startsWith("The recorded history of In [7] cannot have happened: event 0 "), refused);
        }
    }
}
