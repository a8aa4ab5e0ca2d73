package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

/** vramlab plan, with a recorded trace; and the recorder itself, where a PyTorch is at hand. */
class PlanCommandTest {

    private static final Path TRACES = Checkout.file("runtime/plan/src/test/resources/plan/traces");
    private static final String MLP = TRACES.resolve("mlp_adamw.trace").toString();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }

    @Test
    void aProgramThatFitsIsToldWithThePeakThatAnH200Recorded() {
        assertEquals(Main.OK, run("plan", MLP), err::toString);
        // recorded.json: 186,358,784 bytes of mlp_adamw with expandable segments and without
        assertTrue(out.toString().contains("186,358,784 bytes"), out::toString);
        assertTrue(out.toString().contains("default settings: fits"), out::toString);
        assertTrue(out.toString().contains("mlp_adamw.py:"), out::toString);
        assertTrue(out.toString().contains("parameters"), out::toString);
    }

    @Test
    void aProgramThatDoesNotFitFailsWithItsLine() {
        assertEquals(Main.FAILED, run("plan", MLP, "--device", "H200:700MiB"), err::toString);
        assertTrue(out.toString().contains("does not fit"), out::toString);
        assertTrue(out.toString().contains("memory runs out in"), out::toString);
    }

    @Test
    void whereItFitsOnAllGpusTheSmallestIsNamedAlone() {
        assertEquals(Main.OK, run("plan", MLP), err::toString);
        List<String> gpus = out.toString().lines().dropWhile(line -> !line.startsWith("On other GPUs"))
                .takeWhile(line -> !line.isEmpty()).toList();
        assertEquals(1, gpus.size(), gpus::toString);
        assertTrue(
                gpus.getFirst().matches("On other GPUs, default settings: fits on each of the \\d+ that are known, of"
                        + " which RTX-3070 with 7.63 GiB is the smallest\\."),
                gpus::toString);
    }

    @Test
    void jsonHoldsBytes() {
        assertEquals(Main.OK, run("plan", MLP, "--json", "--conf", ""), err::toString);
        JsonObject plan = JsonParser.parseString(out.toString()).getAsJsonObject().getAsJsonArray("plans").get(0)
                .getAsJsonObject();
        assertEquals(186_358_784, plan.get("allocated").getAsLong());
        assertEquals("FITS", plan.get("verdict").getAsString());
    }

    @Test
    void fewerStepsAllocateLess() {
        assertEquals(Main.OK, run("plan", MLP, "--json", "--conf", "", "--steps", "1"), err::toString);
        JsonObject plan = JsonParser.parseString(out.toString()).getAsJsonObject().getAsJsonArray("plans").get(0)
                .getAsJsonObject();
        assertTrue(plan.get("allocations").getAsLong() < 137, plan::toString); // all of it makes 137
    }

    /** What was asked, what is true and what to do, without a word of Java's; and nothing is planned. */
    private void refused(int status, String asked, String found, String... arguments) {
        err.getBuffer().setLength(0);
        out.getBuffer().setLength(0);
        assertEquals(status, run(arguments), err::toString);
        List<String> parts = err.toString().lines().toList();
        assertEquals(3, parts.size(), err::toString);
        assertTrue(parts.get(0).startsWith("vramlab plan: ") && parts.get(0).contains(asked), err::toString);
        assertTrue(parts.get(1).contains(found), err::toString);
        assertTrue(parts.stream().allMatch(part -> part.length() > 15), err::toString);
        assertFalse(err.toString().matches("(?s).*(Exception|java\\.|at io\\.vramlab| int\\b| long\\b).*"),
                err::toString);
        assertEquals("", out.toString());
    }

    @Test
    void aRecordingThatIsNoneIsTold(@TempDir Path folder) throws IOException {
        refused(Main.FAILED, "The recording nowhere.trace", "there is no such file", "plan", "nowhere.trace");
        String page = Checkout.file("README.md").toString();
        refused(Main.FAILED, "The recording " + page, "it is not a recording of vramlab_trace.py", "plan", page);
        refused(Main.FAILED, "The recording " + folder, "it is a folder", "plan", folder.toString());
        Path damaged = folder.resolve("damaged.trace");
        try (Writer text = new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(damaged)),
                StandardCharsets.UTF_8)) {
            text.write(
                    "{\"vramlab_trace\": 1, \"device\": \"T4\", \"script\": \"a.py\"}\n[\"O\", \"one\", \"aten.add\"]\n");
        }
        refused(Main.FAILED, "The recording " + damaged, "line 2 is not as", "plan", damaged.toString());
        refused(Main.USAGE, "vramlab plan was called", "'TRACE'", "plan");
    }

    /** recorded.json: 186,358,784 bytes of mlp_adamw with expandable segments and without. */
    @Test
    void aPromisedPeakIsKeptOrTheOperationToldThatGoesPastIt() {
        assertEquals(Main.OK, run("plan", MLP, "--peak", "186358784"), err::toString);
        assertTrue(out.toString().contains("default settings: kept, 177.73 MiB (186,358,784 bytes)"), out::toString);
        out.getBuffer().setLength(0);
        assertEquals(Main.FAILED, run("plan", MLP, "--peak", "186358783"), err::toString);
        assertTrue(out.toString().contains("default settings: broken by 1 byte; it went past that in aten."),
                out::toString);
        refused(Main.FAILED, "--peak much was given", "no size", "plan", MLP, "--peak", "much");
    }

    @Test
    void anotherKindOfFileIsToldWithItsCommand(@TempDir Path folder) throws IOException {
        Path snapshot = Files.write(folder.resolve("dumped"), new byte[]{(byte) 0x80, 4, '.'});
        refused(Main.FAILED, "The recording " + snapshot, "not a recording", "plan", snapshot.toString());
        assertTrue(err.toString().contains("A memory snapshot: vramlab report " + snapshot), err::toString);
        Path program = Files.writeString(folder.resolve("train.py"), "import torch\n");
        refused(Main.FAILED, "The recording " + program, "not a recording", "plan", program.toString());
        assertTrue(err.toString().contains("python -m vramlab_trace " + program), err::toString);
        for (String other : List.of("report", "view", "what-if", "explain")) {
            err.getBuffer().setLength(0);
            assertEquals(Main.FAILED, run(other, MLP));
            assertTrue(err.toString().contains("A recording by vramlab_trace.py: vramlab plan " + MLP), err::toString);
        }
    }

    @Test
    void theNumberInAGpusNameIsNoSize() {
        refused(Main.FAILED, "--device 4090 was asked for", "Write RTX-4090.", "plan", MLP, "--device", "4090");
    }

    @Test
    void settingsThatPyTorchRefusesAreTold() {
        refused(Main.FAILED, "--conf bogus:1 was given", "Unrecognized key 'bogus'", "plan", MLP, "--conf", "bogus:1");
        refused(Main.FAILED, "--conf max_split_size_mb:x", "A whole number belongs where", "plan", MLP, "--conf",
                "max_split_size_mb:x");
        refused(Main.FAILED, "--conf garbage_collection_threshold:x", "A number belongs where", "plan", MLP, "--conf",
                "garbage_collection_threshold:x");
        refused(Main.FAILED, "--conf backend:cudaMallocAsync", "PyTorch fails an assertion over it: Allocator backend",
                "plan", MLP, "--conf", "backend:cudaMallocAsync");
        assertEquals(Main.OK, run("plan", MLP, "--conf", "max_split_size_mb:64"), err::toString);
        assertTrue(out.toString().contains("max_split_size_mb:64: fits"), out::toString);
    }

    @Test
    void stepsSizesAndGpusThatCannotBeAreTold() {
        refused(Main.USAGE, "plan " + MLP + " --steps x was called", "'x' is not a whole number", "plan", MLP,
                "--steps", "x");
        refused(Main.FAILED, "--steps 0 was given", "holds 4 steps, counted from 1", "plan", MLP, "--steps", "0");
        refused(Main.FAILED, "--steps 99 was given", "holds 4 steps, counted from 1", "plan", MLP, "--steps", "99");
        refused(Main.USAGE, "--sizes a,b", "'a' is not a whole number", "plan", "--sizes", "a,b", MLP, MLP);
        refused(Main.FAILED, "--sizes 8,8 was given", "Two recordings of one size", "plan", "--sizes", "8,8", MLP, MLP);
        refused(Main.FAILED, "--sizes 8 was given", "needs two sizes", "plan", "--sizes", "8", MLP);
        refused(Main.FAILED, "--sizes 0,8 was given", "from 1 on", "plan", "--sizes", "0,8", MLP, MLP);
        refused(Main.FAILED, "--device nothing was asked for", "neither a size nor a known GPU", "plan", MLP,
                "--device", "nothing");
    }

    @Test
    void aNotebookThatCannotBeWrittenIsToldBeforeThePlan(@TempDir Path folder) {
        String nowhere = folder.resolve("nowhere/x.ipynb").toString();
        refused(Main.FAILED, "The notebook " + nowhere, "There is no folder " + folder.resolve("nowhere"), "plan", MLP,
                "-o", nowhere);
        refused(Main.FAILED, "The notebook " + folder, "That is a folder", "plan", MLP, "-o", folder.toString());
        refused(Main.FAILED, "The notebook " + MLP, "That is the recording", "plan", MLP, "-o", MLP);
    }

    @Test
    void jsonHoldsTheLargestSizeToo() {
        String large = TRACES.resolve("vae_bce.trace").toString();
        assertEquals(Main.OK, run("plan", "--json", "--sizes", "8,16", MLP, large), err::toString);
        JsonObject largest = JsonParser.parseString(out.toString()).getAsJsonObject().getAsJsonObject("largest");
        assertEquals(16, largest.get("replayed").getAsLong());
    }

    /** Two programs stand for one of two sizes; the line through their peaks is Growth's. */
    @Test
    void theLargestSizeIsToldFromSeveralRecordings() {
        String large = TRACES.resolve("vae_bce.trace").toString();
        assertEquals(Main.OK, run("plan", "--sizes", "8,16", MLP, large), err::toString);
        assertTrue(out.toString().contains("The largest that was replayed and fits is 16;"), out::toString);
        assertEquals(Main.FAILED, run("plan", "--sizes", "8,16", large, MLP));
        assertTrue(err.toString().contains("memory does not grow with it"), err::toString);
        err.getBuffer().setLength(0);
        assertEquals(Main.FAILED, run("plan", "--sizes", "8,16", MLP));
        assertEquals(3, err.toString().lines().count(), err::toString);
    }

    @Test
    void aNotebookShowsThePlanAndPlansAgain(@TempDir Path folder) throws IOException {
        Path notebook = folder.resolve("plan.ipynb");
        assertEquals(Main.OK, run("plan", MLP, "-o", notebook.toString()), err::toString);
        JsonObject written = JsonParser.parseString(Files.readString(notebook)).getAsJsonObject();
        String told = written.getAsJsonArray("cells").get(0).getAsJsonObject().get("source").getAsString();
        assertTrue(told.contains("186,358,784 bytes"), told);
        String code = written.getAsJsonArray("cells").get(1).getAsJsonObject().get("source").getAsString();
        assertEquals("%plan --on H200 \"" + Path.of(MLP).toAbsolutePath().normalize() + "\"", code);
    }

    @Test
    void twoRecordingsStandSideBySideByLine() {
        String other = TRACES.resolve("vae_bce.trace").toString();
        assertEquals(Main.OK, run("diff", MLP, other), err::toString);
        assertTrue(out.toString().contains("vae_bce.py:"), out::toString);
        assertTrue(out.toString().contains("peak allocated: 177.73 MiB"), out::toString); // 186,358,784 / 2^20
    }

    /** The page's three commands: the first installs, the second records, the third is what the other tests run. */
    @Test
    void thePagesCommandsAreThoseThatAreTested() throws IOException {
        String page = Files.readString(Checkout.file("docs/plan.md"));
        assertTrue(page.contains("    pip install torch transformers\n"
                + "    python install/vramlab_trace.py -o step.trace --device H100-80GB train.py\n"
                + "    install/vramlab plan step.trace\n"), page);
        assertTrue(Files.isRegularFile(Checkout.file("install/vramlab_trace.py")));
        assertEquals(Main.OK, run("plan", MLP), err::toString);
    }

    /** The recorder writes the same as it did for the recording that is kept, where a PyTorch is at hand. */
    @Test
    void theRecorderWritesWhatIsKept(@TempDir Path folder) throws Exception {
        String python = python();
        Path trace = folder.resolve("step.trace");
        Path script = Checkout.file("runtime/plan/src/test/resources/plan/scripts/mlp_adamw.py");
        Commands.run(java.util.Map.of(), List.of(python, Checkout.file("install/vramlab_trace.py").toString(), "-o",
                trace.toString(), "--device", "H200", script.toString())).ok();
        assertEquals(Main.OK, run("plan", trace.toString(), "--conf", ""), err::toString);
        Matcher peak = Pattern.compile("peak allocated .*\\(([\\d,]+) bytes\\)").matcher(out.toString());
        assertTrue(peak.find(), out::toString);
        assertEquals("186,358,784", peak.group(1));
    }

    /**
     * Four products of an H200's recordings, the last a plain one, and one that is left to the rule: a group for each channel. Skipped where
     * no cuDNN 9.19 lies among Python's packages: others may choose otherwise.
     */
    @Test
    void cudnnAnswersWithoutAGpuAsItDidWithOne() throws Exception {
        String ask = """
                import sys
                sys.path.insert(0, sys.argv[1])
                import vramlab_cudnn
                cudnn = vramlab_cudnn.find(("NVIDIA H200", (9, 0), 132, 150109880320))
                if cudnn is None or cudnn.c.cudnnGetVersion() // 100 != 919:
                    print("none")
                else:
                    one = [1, 1]
                    ask = lambda *product: (cudnn.answer(*product) or [None])[0]
                    print(ask(0, "bfloat16", False, [16, 128, 24, 24], [64, 128, 3, 3], [16, 64, 24, 24], one, one, one),
                          ask(1, "float32", False, [32, 64, 16, 16], [128, 64, 3, 3], [32, 128, 16, 16], one, one, one),
                          ask(2, "float16", False, [24, 24, 96, 96], [96, 24, 3, 3], [24, 96, 48, 48], [2, 2], one, one),
                          ask(2, "float16", False, [2, 16, 64, 64, 64], [4, 16, 1, 1, 1], [2, 4, 64, 64, 64], [1] * 3, [0] * 3, [1] * 3),
                          ask(0, "float16", True, [8, 32, 56, 56], [32, 1, 3, 3], [8, 32, 56, 56], one, one, one))
                """;
        Commands.Ran answers;
        try {
            answers = Commands.run(java.util.Map.of(),
                    List.of(System.getenv().getOrDefault("VRAMLAB_TORCH_PYTHON", "python3"), "-c", ask,
                            Checkout.file("install").toString()));
        } catch (IOException none) {
            Assumptions.abort("no Python at hand");
            return;
        }
        answers.ok();
        String told = answers.out().strip();
        Assumptions.assumeFalse(told.equals("none"), "no cuDNN 9.19 at hand");
        assertEquals("3686416 6586384 31228560 42333355 None", told);
    }

    /** VRAMLAB_TORCH_PYTHON, or a python3 on the path that has PyTorch 2.11; without one the test is skipped. */
    static String python() throws Exception {
        String given = System.getenv().getOrDefault("VRAMLAB_TORCH_PYTHON", "python3");
        boolean found;
        try {
            found = Commands.run(java.util.Map.of(), List.of(given, "-c",
                    "import torch; assert torch.__version__.startswith('2.11.')")).status() == 0;
        } catch (IOException none) {
            found = false;
        }
        Assumptions.assumeTrue(found, "no PyTorch 2.11 at hand");
        return given;
    }
}
