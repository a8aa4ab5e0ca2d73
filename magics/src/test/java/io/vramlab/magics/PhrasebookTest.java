package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.LiveNotebook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs every line of docs/phrasebook.md on a real kernel, as IPython has it and as it is written here. */
class PhrasebookTest {

    /** Column one: code; column two: "works", what it shows, or words of the error; column three: code. */
    private static final Pattern LINE = Pattern
            .compile("(?m)^\\| `([^`]+)` \\| (works)?:? ?(?:`([^`]+)`)? \\| `([^`]+)` \\|$");

    record Phrase(String theirs, boolean works, String words, String ours) {
    }

    private static LiveNotebook notebook;

    @BeforeAll
    static void start() throws Exception {
        notebook = new LiveNotebook();
        Matcher setting = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(page());
        assertTrue(setting.find());
        notebook.ok(setting.group(1));
    }

    @AfterAll
    static void stop() throws Exception {
        notebook.close();
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "phrasebook.md"));
    }

    static Stream<Phrase> phrases() throws IOException {
        return LINE.matcher(page()).results().map(line -> new Phrase(cell(line.group(1)), line.group(2) != null,
                line.group(3) == null ? "" : line.group(3), cell(line.group(4))));
    }

    private static String cell(String code) {
        return code.replace('⏎', '\n').replace("\\|", "|");
    }

    @ParameterizedTest
    @MethodSource("phrases")
    void aLineDoesWhatThePageSays(Phrase phrase) {
        LiveNotebook.Result typed = notebook.run(phrase.theirs());
        String shown = typed.error() == null ? typed.out() + typed.plain() : typed.error();
        assertEquals(phrase.works(), typed.error() == null, shown);
        assertTrue(shown.contains(phrase.words()), shown);
        assertNull(notebook.run(phrase.ours()).error(), phrase.ours());
    }

    @Test
    void everyLineOfATableIsRead() throws IOException {
        List<String> lines = page().lines().filter(each -> each.startsWith("| `")).toList();
        assertEquals(lines.size(), phrases().count());
        assertTrue(lines.size() > 80);
    }
}
