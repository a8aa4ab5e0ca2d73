package io.vramlab.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.stream.MalformedJsonException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lines as {@code json.dumps} writes them, read. */
class TraceValuesTest {

    private static final TensorForm FORM = new TensorForm("float32", new long[]{2}, new long[]{1}, 0, false);

    @Test
    void numbersWithoutAFractionAreWholeAndOthersAreNot() throws IOException {
        TraceLine line = line("[0, -7, 123456789012345678, 1234567890123456789, 1.5, -2e-3, 1E+2]");
        assertEquals(0L, line.at(0));
        assertEquals(-7L, line.at(1));
        assertEquals(123456789012345678L, line.at(2));
        assertEquals(1.2345678901234568e18, line.at(3));
        assertEquals(1.5, line.at(4));
        assertEquals(-0.002, line.at(5));
        assertEquals(100.0, line.at(6));
    }

    @Test
    void pythonsNumbersThatAreNoneAreTexts() throws IOException {
        TraceLine line = line("[NaN, Infinity, -Infinity, null, true, false]");
        assertEquals(List.of("NaN", "Infinity", "-Infinity"), List.of(line.at(0), line.at(1), line.at(2)));
        assertNull(line.at(3));
        assertEquals(true, line.at(4));
        assertEquals(false, line.at(5));
    }

    @Test
    void textsHaveTheirCharactersWhetherWrittenOutOrNot() throws IOException {
        // a quote, a backslash, a tab, U+00E9 in both ways, a character of two halves, and an empty text
        TraceLine line = line("[\"a\\\"b\\\\c\\td\", \"caf\\u00e9\", \"café\", \"\\ud83d\\ude00\", \"\"]");
        assertEquals("a\"b\\c\td", line.text(0));
        assertEquals("café", line.text(1));
        assertEquals("café", line.text(2));
        assertEquals("😀", line.text(3));
        assertEquals("", line.text(4));
    }

    @Test
    void aTextThatWasMetIsTheSameAgain() throws IOException {
        TraceLine line = line("[\"AddmmBackward0\", \"AddmmBackward0\", \"AddmmBackward1\"]");
        assertSame(line.text(0), line.text(1));
        assertEquals("AddmmBackward1", line.text(2));
    }

    @Test
    void tensorsAndDtypesAreValuesAndTheSeventhOfAnOperationIsByName() throws IOException {
        TraceLine line = line(
                "[\"o\",1,2,0,0,[{\"t\":[5,1]},[1,2],[]],{\"dtype\":{\"d\":\"torch.float16\"},\"out\":null},"
                        + "{\"t\":[6,1]},[[6,8]],\"\"]");
        assertEquals(List.of(new TensorRef(5, FORM), List.of(1L, 2L), List.of()), line.list(5));
        Map<String, Object> named = line.named(6);
        assertEquals("torch.float16", named.get("dtype"));
        assertTrue(named.containsKey("out") && named.get("out") == null);
        assertEquals(new TensorRef(6, FORM), line.at(7));
        assertEquals(Map.of(), line("[\"o\",1,2,0,0,[],{},null,[],\"\"]").named(6));
    }

    @Test
    void whatIsCutOrNoJsonIsToldAsSuch() {
        for (String damaged : List.of("", "[", "[1", "[1,", "[1,]", "[\"a", "[\"a\\u00", "[{\"t\":[5", "[tru]", "[1] 2",
                "[-]")) {
            assertThrows(MalformedJsonException.class, () -> line(damaged), damaged);
        }
        assertThrows(IllegalStateException.class, () -> line("7"));
        assertThrows(IllegalStateException.class, () -> line("[{\"t\":[5,2]}]"));
        assertThrows(IllegalStateException.class, () -> line("[{\"d\":7}]"));
    }

    @Test
    void linesAreToldOneAfterAnotherHoweverLongTheyAre() throws IOException {
        String longer = "[" + "1,".repeat(20_000) + "2]";
        TraceText text = text("[1]\n" + longer + "\n\n[3]");
        assertTrue(text.next());
        assertEquals("[1]", text.toString());
        assertTrue(text.next());
        assertEquals(longer, text.toString());
        assertTrue(text.next());
        assertEquals("", text.toString());
        assertTrue(text.next());
        assertEquals("[3]", text.toString());
        assertFalse(text.next());
        assertFalse(text.next());
    }

    private static TraceText text(String lines) {
        return new TraceText(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
    }

    private static TraceLine line(String line) throws IOException {
        TraceText text = text(line + "\n");
        text.next();
        return new TraceValues(text, form -> form == 1 ? FORM : null).line();
    }
}
