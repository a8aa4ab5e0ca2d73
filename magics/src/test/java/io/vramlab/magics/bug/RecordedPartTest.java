package io.vramlab.magics.bug;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordedPartTest {

    private static Events events() {
        Events events = new Events();
        events.add(Events.Kind.GAIN, 2 << 20);
        events.add(Events.Kind.ALLOC, 300); // block 0 stays
        events.add(Events.Kind.ALLOC, 1L << 40); // block 1 passes
        events.add(Events.Kind.FREE, 1);
        events.add(Events.Kind.ALLOC, 0); // block 2 stays
        events.add(Events.Kind.OUT_OF_MEMORY, 128);
        return events;
    }

    private static RecordedPart part(Events events, int happened) {
        return new RecordedPart(3, "cuda:0", Map.of("seed", "1"), "", 8L << 30, 0, happened, "", events);
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
    }

    @Test
    void thinningLeavesOutWhatCameAndWentAndKeepsTheNumbersOfOthers() {
        Events kept = events().lasting(0);
        // gain, block 0, one block left out in place of block 1 and its free, block 2, the failure
        assertEquals(5, kept.size());
        assertEquals(Events.Kind.SKIPPED, kept.kind(2));
        assertEquals(1, kept.number(2));
        RecordedPart part = part(kept, 6);
        assertTrue(part.thinned());
        assertTrue(part.text().contains("6 memory events, of which 5 are kept"), part.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "null", "12", "\"x\"", "{\"format\":1}", "{\"format\":99}",
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
