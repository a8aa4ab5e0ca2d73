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

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import picocli.CommandLine;

class ReportCommandTest {

    private static final String ORACLE = "runtime/src/test/resources/oracle/";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path folder;

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }

    private String report(String snapshot) throws IOException {
        Path target = folder.resolve("report.ipynb");
        assertEquals(Main.OK, run("report", Checkout.file(ORACLE + snapshot).toString(), "-o", target.toString()),
                err::toString);
        return Files.readString(target);
    }

    @ParameterizedTest
    @CsvSource({"whatif/leak_default_nolimit.pickle.gz, **A leak",
            "whatif/gpt2_default_nolimit.pickle.gz, **Fragmentation",
            "whatif/convnet_default_nolimit.pickle.gz, **Fragmentation", "snapshot.pickle, **The limit"})
    void theCauseOfWhatPyTorchRecordedIsNamed(String snapshot, String cause) throws IOException {
        assertTrue(report(snapshot).contains(cause), snapshot);
    }

    @Test
    void itIsANotebookThatNamesHoldersByTheirStackAndNoMachine() throws IOException {
        String text = report("snapshot.pickle");
        JsonObject notebook = JsonParser.parseString(text).getAsJsonObject();
        assertEquals(5, notebook.get("nbformat_minor").getAsInt());
        assertTrue(text.contains("reports.py:20"), text);
        assertTrue(text.contains("%what_if \\\"snapshot.pickle\\\" --limit "), text);
        assertFalse(text.contains(folder.toString()));
    }

    @Test
    void aNotebookThatIsThereIsKept() throws IOException {
        Path target = Files.writeString(folder.resolve("mine.ipynb"), "mine");
        assertEquals(Main.FAILED,
                run("report", Checkout.file(ORACLE + "snapshot.pickle").toString(), "-o", target.toString()));
        assertEquals(3, err.toString().lines().count(), err::toString);
        assertEquals("mine", Files.readString(target));
    }

    @Test
    void aFileThatIsNoSnapshotIsToldInThreeParts() {
        assertEquals(Main.FAILED, run("report", Checkout.file("README.md").toString()));
        assertEquals(3, err.toString().lines().count(), err::toString);
    }
}
