package io.vramlab.kernel.spi.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Names are data, whatever they are shown in. */
class EscapesTest {

    private static final List<String> NAMES = HostileNames.some(3_000);

    /** What a browser makes of it. */
    private static String drawn(String html) {
        return Pattern.compile("</?span>|&(?:#([0-9]+)|(lt|gt|quot|amp));").matcher(html).replaceAll(
                m -> m.group().startsWith("<")
                        ? ""
                        : Matcher.quoteReplacement(m.group(1) == null
                                ? Map.of("lt", "<", "gt", ">", "quot", "\"", "amp", "&").get(m.group(2))
                                : Character.toString(Integer.parseInt(m.group(1)))));
    }

    @Test
    void inMarkdownNothingIsLeftThatCouldMeanSomethingAndTheTextIsWhatItWas() {
        for (String name : NAMES) {
            String escaped = Markdown.escape(name);
            assertEquals(Visible.line(name), drawn(escaped));
            for (int i = 0; i < escaped.length(); i++) {
                char c = escaped.charAt(i);
                assertTrue(
                        c > 0x7f || "&#;<>/".indexOf(c) >= 0 || Character.isLetterOrDigit(c)
                                || " ,()%.".indexOf(c) >= 0,
                        escaped);
            }
            String unspanned = escaped.replace("<span>&#36;</span>", "").replace("<span>&#92;</span>", "");
            assertFalse(unspanned.matches("(?s).*[<>/\\[\\]*_`~|\\\\$@:].*"), escaped);
        }
    }

    @Test
    void inHtmlNoTagOrAttributeCanBegin() {
        for (String name : NAMES) {
            String escaped = Html.escape(name);
            assertEquals(name, drawn(escaped));
            assertFalse(escaped.matches("(?s).*[<>\"'].*"), escaped);
        }
    }

    @Test
    void whatIsMadeVisibleSpeaksToNoTerminalAndTurnsNoText() {
        for (String name : NAMES) {
            String line = Visible.line(name);
            assertTrue(line.chars().noneMatch(Character::isISOControl), line);
            assertFalse(line.matches("(?s).*[\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069].*"), line);
            assertEquals(name.length(), line.length());
        }
    }

    @Test
    void theFindingsThatBeganThisAreHarmless() {
        assertEquals("<span>&#92;</span>&#91;js&#93;(javascript&#58;alert(1))",
                Markdown.escape("\\[js](javascript:alert(1))"));
        assertEquals("&#95;&#95;call&#95;&#95;", Markdown.escape("__call__"));
        assertEquals("104.00 MiB (109051904 bytes)", Markdown.escape("104.00 MiB (109051904 bytes)"));
    }
}
