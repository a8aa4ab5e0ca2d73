package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.vramlab.device.Device;
import io.vramlab.kernel.LiveNotebook;
import io.vramlab.kernel.spi.Magic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs the examples of the pages in docs/magics and compares what they show. */
class DocPagesTest {

    private static final Path FOLDER = Path.of("..", "docs", "magics");
    private static final boolean WRITE = Boolean.getBoolean("vramlab.docs.write");
    /** Names of the pages to write, between commas; all without it. */
    private static final String ONLY = System.getProperty("vramlab.docs.only", "");
    /** Pages whose tables name the GPU. */
    private static final List<String> NAMING = List.of("device.md", "gpu.md");
    /** A cell, and what it shows if the page tells that. */
    private static final Pattern EXAMPLE = Pattern.compile("```java( error)?\n(.*?)\n```\n(?:```text\n(.*?)```\n)?",
            Pattern.DOTALL);

    private static LiveNotebook shared;

    @BeforeAll
    static void start() throws Exception {
        shared = new LiveNotebook();
    }

    @AfterAll
    static void stop() throws Exception {
        shared.close();
    }

    static Stream<String> pages() {
        return new io.vramlab.kernel.internal.magic.Magics().all().stream().map(Magic::name).sorted();
    }

    @Test
    void everyPageBelongsToAMagic() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            List<String> names = files.map(f -> f.getFileName().toString().replace(".md", ""))
                    .filter(n -> !n.equals("README")).sorted().toList();
            assertEquals(pages().toList(), names);
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void whatThePageShowsIsWhatARunShows(String name) throws Exception {
        Path file = FOLDER.resolve(name + ".md");
        String page = Files.readString(file);
        if (WRITE) {
            assumeTrue(ONLY.isEmpty() || List.of(ONLY.split(",")).contains(name), "not among those to write");
            try (LiveNotebook fresh = new LiveNotebook()) {
                Files.writeString(file, rewritten(page, fresh));
            }
            return;
        }
        assumeFalse(Device.realForSimulated() && NAMING.contains(file.getFileName().toString()),
                "a real GPU stands in for the simulated one that the page names");
        int told;
        if (file.getFileName().toString().equals("what_if.md")) {
            // a session's history is kept from its first cell on, unless a page before has turned it off
            try (LiveNotebook fresh = new LiveNotebook()) {
                told = compared(page, fresh);
            }
        } else {
            told = compared(page, shared);
        }
        assertTrue(told >= 2 || !Magics.names().contains(name), "the help and an example");
        assertTrue(EXAMPLE.matcher(page).find(), "an example");
    }

    /** How many examples show what the page says. */
    private static int compared(String page, LiveNotebook notebook) {
        notebook.ok("%lifetimes python"); // its own page ends with the other choice
        int before = prepare(notebook);
        int told = 0;
        for (MatchResult example : EXAMPLE.matcher(page).results().toList()) {
            String shown = shown(notebook, example);
            if (example.group(3) != null) {
                assertEquals(loose(example.group(3), 0), loose(shown, before), example.group(2));
                told++;
            }
        }
        return told;
    }

    /** A GPU that nobody has used; the number of the last cell before the page's first. */
    private static int prepare(LiveNotebook notebook) {
        // what pages before have declared would be looked through, and collected, after each cell of this one
        notebook.ok("%reset");
        notebook.ok("%track off");
        notebook.ok("LiveTensors.recordSites(true);");
        notebook.ok("%device 1GiB");
        notebook.ok("%alloc_conf expandable_segments:False");
        String count = notebook.ok("%%track\n1 + 1").plain().get(0);
        return Integer.parseInt(count.replaceAll("(?s).*?In \\[(\\d+)\\].*", "$1"));
    }

    private static String rewritten(String page, LiveNotebook notebook) {
        prepare(notebook);
        Matcher examples = EXAMPLE.matcher(page);
        StringBuilder out = new StringBuilder();
        while (examples.find()) {
            String shown = shown(notebook, examples.toMatchResult());
            String text = examples.group(3) == null ? "" : "```text\n" + numbered(shown, 5).stripTrailing() + "\n```\n";
            String error = examples.group(1) == null ? "" : examples.group(1);
            examples.appendReplacement(out, Matcher
                    .quoteReplacement("```java" + error + "\n" + examples.group(2) + "\n```\n" + text));
        }
        return examples.appendTail(out).toString();
    }

    private static String shown(LiveNotebook notebook, MatchResult example) {
        LiveNotebook.Result result = example.group(1) == null
                ? notebook.ok(example.group(2))
                : notebook.run(example.group(2));
        assertEquals(example.group(1) != null, result.error() != null, example.group(2));
        return result.out() + String.join("\n", result.plain());
    }

    /** Cells are numbered from the page's first. */
    private static String numbered(String text, int before) {
        return Pattern.compile("In \\[(\\d+)\\]").matcher(text)
                .replaceAll(m -> "In [" + (Integer.parseInt(m.group(1)) - before) + "]");
    }

    /** Widths of columns follow from the digits of cell numbers, which differ; addresses from what ran before. */
    private static String loose(String text, int before) {
        return numbered(text, before).replaceAll("0x[0-9a-f]+", "0x…").replaceAll("-{2,}", "--")
                .replaceAll("(?m)^%(fit|what_if)[^\n]*/s[^\n]*\n", "")
                .replaceAll("Wall time: [0-9.,]+ ms", "Wall time: … ms")
                .replaceAll("[0-9.]+ (?:ns|µs|ms|s)( ±| per loop)", "…$1")
                .replaceAll("[ \\t]+", " ")
                .replaceAll(" +\n", "\n").strip();
    }
}
