package io.vramlab.magics.bug;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordedPartTest {

    private static final StateTables STATE = new StateTables(new TreeMap<>(Map.of("segment.all.current", 1L)),
            List.of(new StateTables.Alike("float32 [2, 3]", "gradient", 4, 2048)));

    private static Events events() {
        Events events = new Events(0);
        events.add(Events.Kind.GAIN, 2 << 20);
        events.add(Events.Kind.ALLOC, 300); // block 0 stays
        events.add(Events.Kind.ALLOC, 1L << 40); // block 1 passes
        events.add(Events.Kind.FREE, 1);
        events.add(Events.Kind.ALLOC, 0); // block 2 stays
        events.add(Events.Kind.OUT_OF_MEMORY, 128);
        return events;
    }

    private static RecordedPart part(Events events, int happened) {
        return new RecordedPart(3, "cuda:0", Map.of("seed", "1"), "", 8L << 30, 0, happened, "", events, STATE,
                false);
    }

    @Test
    void whatIsWrittenIsReadAgain() throws Exception {
        RecordedPart written = part(events(), 6);
        RecordedPart read = RecordedPart.read(new JsonPrimitive(written.json()));
        assertEquals(written.json(), read.json());
        assertEquals(6, read.events().size());
        for (int i = 0; i < 6; i++) {
            assertEquals(events().kind(i), read.events().kind(i));
            assertEquals(events().number(i), read.events().number(i));
        }
        assertFalse(read.thinned());
        assertEquals(STATE, read.state());
        // one of the 122 statistics is not 0
        assertEquals(122, read.state().allStatistics().size());
        assertEquals(1L, read.state().allStatistics().get("segment.all.current"));
    }

    @Test
    void theStepsOfALoopLookAlikeAndTakeLittleRoom() throws Exception {
        Events loop = new Events(7);
        for (int step = 0; step < 1000; step++) {
            loop.add(Events.Kind.ALLOC, 4096);
            loop.add(Events.Kind.FREE, 7 + step);
        }
        String packed = loop.packed();
        // 2,000 events in fewer characters than a tenth of them: every step is the same five bytes
        assertTrue(packed.length() < 200, packed);
        assertEquals(1006, Events.unpacked(packed).number(1999));
        assertThrows(BrokenHistoryException.class, () -> Events.unpacked(packed.substring(8)));
    }

    @Test
    void thinningLeavesOutWhatCameAndWentAndKeepsTheNumbersOfOthers() {
        Events kept = events().lasting();
        // gain, block 0, one block left out in place of block 1 and its free, block 2, the failure
        assertEquals(5, kept.size());
        assertEquals(Events.Kind.SKIPPED, kept.kind(2));
        assertEquals(1, kept.number(2));
        RecordedPart part = part(kept, 6);
        assertTrue(part.thinned());
        assertTrue(part.text().contains("6 memory events, of which 5 are kept"), part.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "null", "12", "\"x\"", "{\"format\":2}", "{\"format\":99}",
            "{\"format\":\"x\"}"})
    void whatIsNoHistoryIsRefused(String text) {
        assertThrows(BrokenHistoryException.class, () -> RecordedPart.read(new JsonPrimitive(text)));
    }

    @Test
    void everyTruncationIsRefused() {
        String whole = part(events(), 6).json();
        for (int end = 0; end < whole.length(); end++) {
            String cut = whole.substring(0, end);
            assertThrows(BrokenHistoryException.class, () -> RecordedPart.read(new JsonPrimitive(cut)), cut);
        }
    }

    @ParameterizedTest
    @CsvSource({"\"cell\":3, \"cell\":4", "\"limit\":0, \"limit\":1", "\"limit\":0, \"limit\":-1",
            "\"kept\":6, \"kept\":5",
            "\"seed\":\"1\", \"seed\":\"2\"", "\"happened\":6, \"happened\":7"})
    void everyEditIsRefused(String before, String after) {
        String whole = part(events(), 6).json();
        String edited = whole.replace(before, after);
        assertFalse(whole.equals(edited), whole);
        assertThrows(BrokenHistoryException.class, () -> RecordedPart.read(JsonParser.parseString(edited)));
    }
}
