package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    void theSettingsAtTheRecordingAreToldAndHowToRecordStacksWhereThereAreNone() throws IOException {
        String text = report("whatif/leak_default_nolimit.pickle.gz");
        assertTrue(text.contains("Recorded under the allocator's default settings."), text);
        assertTrue(text.contains("_record_memory_history(max_entries=1000000, stacks=\\\"all\\\")"), text);
        Files.delete(folder.resolve("report.ipynb"));
        assertFalse(report("snapshot.pickle").contains("The history has no stacks"));
    }

    @Test
    void recordedSettingsThatAreNoDefaultOnesAreTriedFirst() throws IOException {
        Path snapshot = Files.writeString(folder.resolve("s.json"),
                """
                        {"segments": [], "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "max_split_size_mb:32"}, "device_traces": [[
                          {"action": "segment_alloc", "addr": 2097152, "size": 20971520, "stream": 0},
                          {"action": "alloc", "addr": 2097152, "size": 5242880, "stream": 0},
                          {"action": "oom", "device_free": 100, "size": 52428800, "stream": 0}]]}
                        """);
        Path target = folder.resolve("s.ipynb");
        assertEquals(Main.OK, run("report", snapshot.toString(), "-o", target.toString()), err::toString);
        String text = Files.readString(target);
        assertTrue(text.contains("Recorded under PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:32."), text);
        assertTrue(text.indexOf("| 0 | max_split_size_mb:32 |") < text.indexOf("| 0 | default |"), text);
        // settings of another backend are told and not tried
        Files.writeString(snapshot, Files.readString(snapshot).replace("max_split_size_mb:32", "backend:other"));
        assertEquals(Main.OK, run("report", snapshot.toString(), "-o", target.toString(), "--force"), err::toString);
        assertTrue(Files.readString(target).contains("=backend:other."));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 100, 5_000, 70_000, 104_000})
    void aTruncatedSnapshotIsToldInThreeParts(int bytes) throws IOException {
        byte[] whole = Files.readAllBytes(Checkout.file(ORACLE + "whatif/leak_default_nolimit.pickle.gz"));
        Path cut = Files.write(folder.resolve("cut.pickle.gz"), Arrays.copyOf(whole, bytes));
        assertEquals(Main.FAILED, run("report", cut.toString(), "-o", folder.resolve("x.ipynb").toString()));
        assertEquals(3, err.toString().lines().count(), err::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cos\nsystem\n(S'true'\ntR.", "{}", "{\"segments\": 1}", "[", "null",
            "{\"segments\": [], \"device_traces\": [[{\"action\": \"alloc\"}]]}",
            "{\"segments\": [], \"device_traces\": [[{\"action\": \"alloc\", \"addr\": 1, \"size\": \"x\"}]]}",
            "{\"segments\": [{\"blocks\": [{}]}], \"device_traces\": []}"})
    void aHostileSnapshotIsToldInThreeParts(String content) throws IOException {
        Path file = Files.writeString(folder.resolve("hostile.pickle"), content);
        assertEquals(Main.FAILED, run("report", file.toString(), "-o", folder.resolve("x.ipynb").toString()));
        assertEquals(3, err.toString().lines().count(), err::toString);
        assertFalse(Files.exists(folder.resolve("x.ipynb")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "0", "9223372036854775807", "-9223372036854775808"})
    void eventsThatCannotHaveHappenedAreToldOrCountedAndNeverCrash(String size) throws IOException {
        Path file = Files.writeString(folder.resolve("odd.json"),
                """
                        {"segments": [], "device_traces": [[{"action": "segment_alloc", "addr": 512, "size": SIZE},
                          {"action": "alloc", "addr": 512, "size": SIZE}, {"action": "free_completed", "addr": 99, "size": SIZE},
                          {"action": "segment_free", "addr": 7, "size": SIZE}, {"action": "oom", "device_free": 1, "size": SIZE}]]}
                        """
                        .replace("SIZE", size));
        int status = run("report", file.toString(), "-o", folder.resolve("x.ipynb").toString());
        assertFalse(err.toString().contains("not foreseen"), err::toString);
        assertEquals(status == Main.OK ? 0 : 3, err.toString().lines().count(), err::toString);
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
