package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import picocli.CommandLine;

class DiffCommandTest {

    private static final String LEAK = Checkout.file("notebooks/reports/leak.ipynb").toString();
    private static final String SNAPSHOT = Checkout
            .file("runtime/conformance/src/test/resources/oracle/snapshot.pickle")
            .toString();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... files) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute("diff", files[0], files[1]);
    }

    private int growth(String allowed, String first, String second) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute("diff", "--growth", allowed, first, second);
    }

    @Test
    void aGrowthThatIsNotAllowedFails() {
        String sgd = Checkout.file("runtime/plan/src/test/resources/plan/traces/mlp_sgd_momentum_loader.trace")
                .toString();
        String adamw = Checkout.file("runtime/plan/src/test/resources/plan/traces/mlp_adamw.trace").toString();
        long less = TraceDifference.of(Path.of(sgd), Path.of(adamw)).before();
        long more = TraceDifference.of(Path.of(sgd), Path.of(adamw)).after();
        assertTrue(less < more, less + " and " + more);
        assertEquals(Main.FAILED, growth("0", sgd, adamw), err::toString);
        assertTrue(out.toString().contains("\nbroken: the peak grew by "), out::toString);
        assertEquals(Main.FAILED, growth(String.valueOf(more - less - 1), sgd, adamw), err::toString);
        assertEquals(Main.OK, growth(String.valueOf(more - less), sgd, adamw), err::toString);
        assertEquals(Main.OK, growth("0", adamw, sgd), err::toString);
        assertTrue(out.toString().contains("\nkept: the peak did not grow; allowed were 0 bytes."), out::toString);
    }

    @Test
    void aShareIsOneOfTheFirstPeak() {
        AllowedGrowth percent = new AllowedGrowth("1%");
        assertTrue(percent.allows(1_000, 1_010));
        assertFalse(percent.allows(1_000, 1_011));
        assertTrue(new AllowedGrowth("0.5 MiB").allows(0, 524_288));
    }

    @Test
    void aGrowthThatIsNoneIsTold() {
        assertEquals(Main.FAILED, growth("much", LEAK, LEAK));
        assertTrue(err.toString().contains("neither a share nor a size"), err::toString);
        assertEquals(Main.OK, growth("0", LEAK, LEAK), err::toString);
    }

    @Test
    void aFileDoesNotDifferFromItself() {
        assertEquals(Main.OK, run(LEAK, LEAK), err::toString);
        assertFalse(out.toString().contains("\n! "), out::toString);
    }

    @Test
    void aNotebookAndASnapshotStandSideBySide() {
        assertEquals(Main.OK, run(LEAK, SNAPSHOT), err::toString);
        // PyTorch's snapshot: three requests failed, and 722 MiB were reserved
        assertTrue(out.toString().contains("! failed requests: 1 | 3"), out::toString);
        assertTrue(out.toString().contains("| 722.00 MiB (757,071,872 bytes)"), out::toString);
    }

    /** The sums alone would say that it needs more at once than it may have. */
    @Test
    void theCauseIsTheReports() {
        assertEquals(Main.OK, run(LEAK, SNAPSHOT), err::toString);
        CommandLine report = Main.commandLine();
        StringWriter told = new StringWriter();
        report.setOut(new PrintWriter(told, true));
        assertEquals(Main.OK, report.execute("report", "--json", "--no-source", SNAPSHOT));
        JsonObject verdict = JsonParser.parseString(told.toString()).getAsJsonObject().getAsJsonArray("devices").get(0)
                .getAsJsonObject().getAsJsonObject("verdict");
        String cause = out.toString().lines().filter(line -> line.startsWith("! cause: ")).findFirst().orElseThrow();
        assertEquals(verdict.get("text").getAsString() + " (" + verdict.get("certainty").getAsString() + ")",
                cause.substring(cause.lastIndexOf(" | ") + 3));
    }

    @Test
    void aFileThatIsNeitherIsToldInThreeParts() {
        assertEquals(Main.FAILED, run(LEAK, Checkout.file("README.md").toString()));
        assertEquals(3, err.toString().lines().count(), err::toString);
    }
}
