package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import io.vramlab.kernel.internal.magic.CellPart;
import io.vramlab.kernel.internal.magic.CellScanner;
import io.vramlab.kernel.spi.option.Words;
import io.vramlab.kernel.spi.text.Markdown;

import picocli.CommandLine;

class ReportCommandTest {

    private static final String ORACLE = "runtime/conformance/src/test/resources/oracle/";

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
            "whatif/convnet_default_nolimit.pickle.gz, **Fragmentation", "snapshot.pickle, **One operation"})
    void theCauseOfWhatPyTorchRecordedIsNamed(String snapshot, String cause) throws IOException {
        assertTrue(report(snapshot).contains(cause), snapshot);
    }

    /** Its notebook would have six letters more, and no file may have a name of 258. */
    @Test
    void theVerdictIsToldWhereTheNotebookCannotBeWritten() throws IOException {
        Path snapshot = Files.copy(Checkout.file("runtime/conformance/src/test/resources/oracle/snapshot.pickle"),
                folder.resolve("a".repeat(252)));
        assertEquals(Main.OK, run("report", "--no-source", snapshot.toString()), err::toString);
        assertTrue(out.toString().contains("why:    "), out::toString);
        assertTrue(out.toString().contains("\nNot written: " + "a".repeat(252) + ".ipynb"), out::toString);
        out.getBuffer().setLength(0);
        Path named = folder.resolve("no folder").resolve("report.ipynb");
        assertEquals(Main.FAILED, run("report", "--no-source", "-o", named.toString(), snapshot.toString()));
        assertTrue(out.toString().contains("why:    "), out::toString);
        assertTrue(err.toString().contains("The notebook " + named + " was to be written."), err::toString);
    }

    @Test
    void itIsANotebookThatNamesHoldersByTheirStackAndNoMachine() throws IOException {
        String text = report("snapshot.pickle");
        JsonObject notebook = JsonParser.parseString(text).getAsJsonObject();
        assertEquals(5, notebook.get("nbformat_minor").getAsInt());
        assertTrue(text.contains("reports&#46;py&#58;20"), text);
        assertTrue(text.contains("%what_if \\\"snapshot.pickle\\\" --limit "), text);
        assertFalse(text.contains(folder.toString()));
    }

    @Test
    void theSettingsAtTheRecordingAreToldAndHowToRecordStacksWhereThereAreNone() throws IOException {
        String text = report("whatif/leak_default_nolimit.pickle.gz");
        assertTrue(text.contains("Recorded under the allocator's default settings."), text);
        assertTrue(text.contains("_record_memory_history(max_entries=1000000, stacks=\\\"python\\\")"), text);
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
        assertTrue(
                text.contains(
                        "Recorded under PYTORCH_CUDA_ALLOC_CONF=" + Markdown.escape("max_split_size_mb:32") + "."),
                text);
        assertTrue(text.contains("- " + Markdown.escape("Alike: max_split_size_mb:32; default; ")), text);
        // settings of another backend are told and not tried
        Files.writeString(snapshot, Files.readString(snapshot).replace("max_split_size_mb:32", "backend:other"));
        assertEquals(Main.OK, run("report", snapshot.toString(), "-o", target.toString(), "--force"), err::toString);
        assertTrue(Files.readString(target).contains("=backend&#58;other."));
    }

    @Test
    void settingsThatServeEveryRequestAreToldBesideTheBestAdvice() throws IOException {
        assertEquals(Main.OK, run("report", "--no-source", "-o", folder.resolve("x.ipynb").toString(),
                Checkout.file("install/src/test/resources/diagnosis/camera_streams.plain.pickle.gz").toString()),
                err::toString);
        assertTrue(
                out.toString()
                        .contains("or:     PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True: every request is served"
                                + " in the replay; what would have come after is not in it"),
                out::toString);
        // ten lines at the most and where the notebook is
        assertTrue(out.toString().lines().count() <= 11, out::toString);
    }

    @Test
    void settingsThatServeALeakAreSaidToPutItOff() throws IOException {
        assertEquals(Main.OK, run("report", "--no-source", "-o", folder.resolve("x.ipynb").toString(), Checkout
                .file("install/src/test/resources/diagnosis/average_precision_state.cut900.pickle.gz").toString()),
                err::toString);
        assertFalse(out.toString().contains("do:     PYTORCH_CUDA_ALLOC_CONF="), out::toString);
        assertTrue(out.toString().contains("or:     PYTORCH_CUDA_ALLOC_CONF="), out::toString);
        assertTrue(out.toString().contains("more is kept each time, so this only puts it off"), out::toString);
    }

    @Test
    void withTheProgramsSourceItsLinesAreShownAndWeighed() throws IOException {
        String folderOfSets = "install/src/test/resources/diagnosis/";
        String snapshot = Checkout.file(folderOfSets + "a1_gpt_pretrain.plain.pickle.gz").toString();
        Path target = folder.resolve("x.ipynb");
        assertEquals(Main.OK, run("report", snapshot, "-o", target.toString(), "--source",
                Checkout.file(folderOfSets + "eighth").toString()), err::toString);
        assertTrue(out.toString().contains("why:    one step piles up the graphs of several smaller ones"),
                out::toString);
        assertTrue(out.toString().contains(
                "where:  a1_gpt_pretrain.py:33 (keeps it), a1_gpt_pretrain.py:32 (makes it)"), out::toString);
        assertTrue(out.toString().contains("code:   total = total + loss / accum"), out::toString);
        assertTrue(out.toString().contains("code:   loss = model(input_ids=x, labels=x).loss"), out::toString);
        // ten lines and where the notebook is
        assertEquals(11, out.toString().lines().count(), out::toString);
        // expandable segments serve it too, and the next part of the step asks for more
        assertFalse(out.toString().contains("\nor: "), out::toString);
        // each of its blocks is handed out in multiples of 512 bytes
        assertTrue(
                out.toString().contains("at most 7,846.93 MiB (8,228,102,176 bytes) in use, 7,847.43 MiB (8,228,630,528"
                        + " bytes) in whole blocks, "),
                out::toString);
        assertTrue(out.toString().contains("In the source a model is called in each turn of a loop"), out::toString);
        assertTrue(Files.readString(target).contains("## The lines that held memory"));
        out.getBuffer().setLength(0);
        assertEquals(Main.OK, run("report", snapshot, "--json"), err::toString);
        assertTrue(out.toString().contains("\"source\": \"\""), out::toString);
    }

    @Test
    void linesAreToldWithTheirRolesTheForemostFirstAndNoneIsReadWhereThatIsSaid() throws IOException {
        String folderOfSets = "install/src/test/resources/diagnosis/";
        String snapshot = Checkout.file(folderOfSets + "retrieval_index.plain.pickle.gz").toString();
        String program = Checkout.file(folderOfSets + "eleventh/retrieval_index.py").toString();
        assertEquals(Main.OK, run("report", snapshot, "--json", "--source", program), err::toString);
        JsonObject verdict = verdict();
        assertEquals("retrieval_index.py:35", verdict.get("line").getAsString());
        assertEquals(List.of("kept retrieval_index.py:35 chunks.append(emb)",
                "made retrieval_index.py:34 emb = encoder(tokens.to(\"cuda\", non_blocking=True))"),
                lines(verdict));
        assertEquals(Main.OK, run("report", snapshot, "--json", "--no-source"), err::toString);
        assertEquals(List.of("made retrieval_index.py:34 "), lines(verdict()));
        assertEquals(Main.FAILED, run("report", snapshot, "--no-source", "--source", program));
        assertTrue(err.toString().contains("Say one of them."), err::toString);
    }

    @Test
    void withoutStacksTheLinesAreTheSourcesAlone() throws IOException {
        String folderOfSets = "install/src/test/resources/diagnosis/";
        assertEquals(Main.OK, run("report",
                Checkout.file(folderOfSets + "retrieval_index.nostack.pickle.gz").toString(), "-o",
                folder.resolve("x.ipynb").toString(), "--source",
                Checkout.file(folderOfSets + "eleventh/retrieval_index.py").toString()), err::toString);
        assertTrue(
                out.toString().contains("where:  retrieval_index.py:35 (keeps it), retrieval_index.py:34 (makes it), "
                        + "by the source alone"),
                out::toString);
    }

    /** Of the only device of the JSON that was printed, which is gone then. */
    private JsonObject verdict() {
        JsonObject root = JsonParser.parseString(out.toString()).getAsJsonObject();
        out.getBuffer().setLength(0);
        return root.getAsJsonArray("devices").get(0).getAsJsonObject().getAsJsonObject("verdict");
    }

    private static List<String> lines(JsonObject verdict) {
        return verdict.getAsJsonArray("lines").asList().stream().map(JsonElement::getAsJsonObject)
                .map(line -> line.get("role").getAsString() + " " + line.get("line").getAsString() + " "
                        + line.get("source").getAsString())
                .toList();
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

    private static final String SMALL = """
            {"segments": [], "device_traces": [[
              {"action": "segment_alloc", "addr": 2097152, "size": 20971520, "stream": 0},
              {"action": "alloc", "addr": 2097152, "size": 5242880, "stream": 0}]]}
            """;

    @ParameterizedTest
    @ValueSource(strings = {"\"); System.exit(1); (\"", "a'b\"c", "--limit", "-o", "; %sh rm", "%%sh", "\\u0022.json",
            "$(rm)",
            "[js](javascript:alert(1))", "x --limit 1", "ü 𝕏"})
    void theNameOfTheSnapshotIsOneWordInTheCellWhateverItIs(String name) throws IOException {
        Path snapshot = Files.writeString(folder.resolve(name), SMALL);
        assertEquals(Main.OK,
                run("report", "-o", folder.resolve("x.ipynb").toString(), snapshot.toString()), err::toString);
        JsonArray cells = JsonParser.parseString(Files.readString(folder.resolve("x.ipynb"))).getAsJsonObject()
                .getAsJsonArray("cells");
        int code = 0;
        for (JsonElement cell : cells) {
            if (cell.getAsJsonObject().get("cell_type").getAsString().equals("code")) {
                code++;
                JsonArray source = cell.getAsJsonObject().getAsJsonArray("source");
                assertEquals(1, source.size(), source::toString);
                CellPart.Use use = (CellPart.Use) new CellScanner(source.get(0).getAsString(), n -> true, other -> null)
                        .scan()
                        .getFirst();
                String word = Words.of(use.arguments()).getFirst();
                assertEquals(name, Path.of(word).normalize().toString());
                assertFalse(word.startsWith("-"), word);
            }
        }
        assertEquals(1, code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nSystem.exit(1);.json", "a\rSystem.exit(1);.json", "a\u2028b.json", "\u001b[2J.json",
            "\u202ea.json"})
    void aNameThatNoCellCanHoldIsRefusedInThreeVisibleParts(String name) throws IOException {
        Path snapshot = Files.writeString(folder.resolve(name), SMALL);
        assertEquals(Main.FAILED, run("report", snapshot.toString(), "-o", folder.resolve("x.ipynb").toString()));
        assertTrue(err.toString().contains("Rename it."), err::toString);
        assertTrue(err.toString().chars().noneMatch(c -> c != '\n' && Character.isISOControl(c)), err::toString);
        assertFalse(Files.exists(folder.resolve("x.ipynb")));
    }

    /** Who asks a second time wants the verdict: only a notebook that was named with -o must not be there. */
    @Test
    void aSecondTimeTheVerdictIsPrintedAndTheNotebookOfTheFirstTimeIsLeftAsItIs() throws IOException {
        Path snapshot = Files.writeString(folder.resolve("second.json"), SMALL);
        Path target = Path.of("second.ipynb"); // where the tests run, as the command's default is
        try {
            Files.writeString(target, "precious");
            assertEquals(Main.OK, run("report", snapshot.toString()), err::toString);
            assertTrue(out.toString().contains("why:    "), out::toString);
            assertTrue(out.toString().stripTrailing().endsWith(
                    "Not written: second.ipynb is there already; --force writes over it, -o names another."),
                    out::toString);
            assertEquals("precious", Files.readString(target));
        } finally {
            Files.delete(target);
        }
    }

    @Test
    void aNotebookThatIsThereIsToldOfBeforeTheSnapshotIsRead() throws IOException {
        Path unread = Files.writeString(folder.resolve("s.pickle"), "no snapshot at all");
        Path target = Files.writeString(folder.resolve("there.ipynb"), "precious");
        assertEquals(Main.FAILED, run("report", unread.toString(), "-o", target.toString()));
        assertTrue(err.toString().contains("There is such a file already"), err::toString);
        assertEquals("precious", Files.readString(target));
    }

    @Test
    void aLinkInThePlaceOfTheNotebookIsNotFollowed() throws IOException {
        Path snapshot = Files.writeString(folder.resolve("s.json"), SMALL);
        Path precious = Files.writeString(folder.resolve("precious"), "precious");
        Path link = Files.createSymbolicLink(folder.resolve("link.ipynb"), precious);
        Path dangling = Files.createSymbolicLink(folder.resolve("dangling.ipynb"), folder.resolve("nowhere"));
        for (Path target : List.of(link, dangling)) {
            for (boolean force : new boolean[]{true, false}) {
                List<String> arguments = new ArrayList<>(
                        List.of("report", snapshot.toString(), "-o", target.toString()));
                if (force) {
                    arguments.add("--force");
                }
                assertEquals(Main.FAILED, run(arguments.toArray(String[]::new)));
            }
        }
        assertTrue(err.toString().contains("it is a symbolic link to " + precious), err::toString);
        assertEquals("precious", Files.readString(precious));
        assertFalse(Files.exists(folder.resolve("nowhere")));
        assertTrue(Files.isSymbolicLink(link));
    }

    @Test
    void aMillionDevicesAreRefusedInThreeParts() throws IOException {
        Path snapshot = Files.writeString(folder.resolve("many.json"),
                "{\"segments\": [], \"device_traces\": [" + "[],".repeat(999_999) + "[]]}");
        assertEquals(Main.FAILED, run("report", snapshot.toString(), "-o", folder.resolve("x.ipynb").toString()));
        assertTrue(err.toString().contains("it tells of 1000000 devices; PyTorch knows at most 128"), err::toString);
        assertEquals(3, err.toString().lines().count(), err::toString);
        Files.writeString(snapshot,
                "{\"device_traces\": [], \"segments\": [{\"device\": 4294967296, \"address\": 1, \"total_size\": 1, \"blocks\": []}]}");
        assertEquals(Main.FAILED, run("report", snapshot.toString(), "-o", folder.resolve("x.ipynb").toString()));
        assertTrue(err.toString().contains("a segment is on device 4294967296"), err::toString);
    }

    @Test
    void ofManyFailuresTheFirstAreTold() throws IOException {
        // of two sizes in turn: the same one again would be one row
        String failure = ", {\"action\": \"oom\", \"device_free\": 1, \"size\": %d, \"stream\": 0}";
        String failures = (failure.formatted(52428800) + failure.formatted(62914560)).repeat(10_000);
        Path snapshot = Files.writeString(folder.resolve("failing.json"), SMALL.replace("}]]", "}" + failures + "]]"));
        Path target = folder.resolve("x.ipynb");
        assertEquals(Main.OK, run("report", snapshot.toString(), "-o", target.toString()), err::toString);
        assertTrue(Files.readString(target).contains("19,980 more such requests"));
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
