package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import picocli.CommandLine;

class ReplayCommandTest {

    private static final Path FRAGMENTED = Checkout.file("notebooks/reports/fragmentation.ipynb");

    private static final Path MIXED = Checkout.file("notebooks/reports/mixed-precision.ipynb");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(Path notebook, String... more) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        String[] arguments = new String[more.length + 2];
        arguments[0] = "replay";
        arguments[1] = notebook.toString();
        System.arraycopy(more, 0, arguments, 2, more.length);
        return line.execute(arguments);
    }

    @Test
    void itRunsOutWhereItDidAndNotUnderExpandableSegments() {
        assertEquals(Main.OK, run(FRAGMENTED, "--conf", "", "--conf", "expandable_segments:True"), err::toString);
        // as PyTorch under this limit: stopped at 122 MiB with 4,104,126,464 bytes reserved, at the most; not when expandable
        assertTrue(out.toString().contains("3,914.00 MiB (4,104,126,464 bytes) reserved; memory ran out in In [4]"),
                out::toString);
        assertTrue(out.toString().contains("memory runs out in In [4], asking for 121.46 MiB (127,360,000 bytes)"),
                out::toString);
        assertTrue(out.toString().contains("alive after In [4]: 374 tensors"), out::toString);
        assertTrue(out.toString().lines().anyMatch(line -> line.contains("expandable_segments:True")
                && line.endsWith("memory does not run out")), out::toString);
    }

    @Test
    void aLargerDeviceHasRoom() {
        assertEquals(Main.OK, run(FRAGMENTED, "--conf", "", "--device", "H100-80GB"), err::toString);
        assertFalse(out.toString().contains("memory runs out"), out::toString);
    }

    @Test
    void beforeTheFailingCellNothingHasFailed() throws IOException {
        Path page = folder.resolve("replay.html");
        assertEquals(Main.OK, run(MIXED, "--until", "2", "--html", page.toString()), err::toString);
        assertTrue(out.toString().contains("memory did not run out"), out::toString);
        assertTrue(Files.readString(page).contains("data:image/svg+xml;base64,"));
        assertTrue(Files.readString(page).contains("PyTorch CUDA memory summary"));
        assertEquals(Main.FAILED, run(FRAGMENTED, "--until", "3"));
        assertTrue(err.toString().contains("Nothing is recorded up to In [3]"), err::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            \\"limit\\":4106223616 | \\"limit\\":5
            \\"cell\\":4        | \\"cell\\":1
            \\"events\\":\\"H4s | \\"events\\":\\"
            \\"format\\":2      | \\"format\\":3
            \\"state\\":\\"H4s  | \\"state\\":\\"
            """)
    void anAlteredHistoryIsRefusedAndNeverPasses(String before, String after) throws IOException {
        String whole = Files.readString(FRAGMENTED);
        String edited = whole.replaceFirst(java.util.regex.Pattern.quote(before),
                java.util.regex.Matcher.quoteReplacement(after));
        assertFalse(whole.equals(edited));
        Path notebook = Files.writeString(folder.resolve("edited.ipynb"), edited);
        assertEquals(Main.FAILED, run(notebook));
        assertEquals(3, err.toString().lines().count(), err::toString);
    }

    @Test
    void aNotebookWithoutAHistorySaysHowToRecordOne() {
        assertEquals(Main.FAILED, run(Checkout.file("notebooks/tour.ipynb")));
        assertTrue(err.toString().contains("%bug_report on"), err::toString);
    }
}
