package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
        assertTrue(out.toString().contains("186358784 bytes"), out::toString);
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

    @Test
    void mistakesAreToldInThreeParts() {
        assertEquals(Main.FAILED, run("plan", Checkout.file("README.md").toString()));
        assertEquals(3, err.toString().lines().count(), err::toString);
        err.getBuffer().setLength(0);
        assertEquals(Main.FAILED, run("plan", MLP, "--steps", "99"));
        assertEquals(3, err.toString().lines().count(), err::toString);
        err.getBuffer().setLength(0);
        assertEquals(Main.FAILED, run("plan", MLP, "--conf", "nonsense:1"));
        assertEquals(3, err.toString().lines().count(), err::toString);
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
        assertTrue(told.contains("186358784 bytes"), told);
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
        Matcher peak = Pattern.compile("peak allocated .*\\((\\d+) bytes\\)").matcher(out.toString());
        assertTrue(peak.find(), out::toString);
        assertEquals("186358784", peak.group(1));
    }

    /**
     * Three products of an H200's recordings, and two that are left to the rule: a plain one and a group for each channel. Skipped where
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
                    print(cudnn.answer(0, "bfloat16", False, [16, 128, 24, 24], [64, 128, 3, 3], [16, 64, 24, 24], one, one, one),
                          cudnn.answer(1, "float32", False, [32, 64, 16, 16], [128, 64, 3, 3], [32, 128, 16, 16], one, one, one),
                          cudnn.answer(2, "float16", False, [24, 24, 96, 96], [96, 24, 3, 3], [24, 96, 48, 48], [2, 2], one, one),
                          cudnn.answer(0, "float32", False, [4, 64, 56, 56], [64, 64, 1, 1], [4, 64, 56, 56], one, [0, 0], one),
                          cudnn.answer(0, "float16", True, [8, 32, 56, 56], [32, 1, 3, 3], [8, 32, 56, 56], one, one, one))
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
        assertEquals("3686416 6586384 31228560 None None", told);
    }

    /** VRAMLAB_TORCH_PYTHON, or a python3 on the path that has PyTorch 2.11; without one the test is skipped. */
    private static String python() throws Exception {
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
