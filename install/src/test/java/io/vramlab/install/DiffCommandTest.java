package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;

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
