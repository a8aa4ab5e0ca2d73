package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

class ViewCommandTest {

    private static final String SNAPSHOT = Checkout
            .file("runtime/conformance/src/test/resources/oracle/whatif/leak_default_nolimit.pickle.gz").toString();

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... more) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        List<String> arguments = new ArrayList<>(List.of("view"));
        arguments.addAll(List.of(more));
        return line.execute(arguments.toArray(String[]::new));
    }

    @Test
    void aPageIsWrittenThatNeedsNothingElse() throws IOException {
        Path page = folder.resolve("page.html");
        assertEquals(Main.OK, run(SNAPSHOT, "-o", page.toString()), err::toString);
        String html = Files.readString(page);
        assertTrue(html.startsWith("<!DOCTYPE html>") && html.contains("const PARTS = [\n{name:"), out::toString);
        assertTrue(out.toString().contains(" events; open it in a browser."), out::toString);
    }

    @Test
    void twoSnapshotsAreOnOnePage() throws IOException {
        Path page = folder.resolve("page.html");
        assertEquals(Main.OK, run(SNAPSHOT, SNAPSHOT, "-o", page.toString()), err::toString);
        assertEquals(2, Files.readString(page).split("\n\\{name: ", -1).length - 1);
    }

    @Test
    void aFileThatIsThereStays() throws IOException {
        Path page = Files.writeString(folder.resolve("page.html"), "mine");
        assertEquals(Main.FAILED, run(SNAPSHOT, "-o", page.toString()));
        assertEquals("mine", Files.readString(page));
        assertEquals(3, err.toString().lines().count(), err::toString);
        assertEquals(Main.OK, run(SNAPSHOT, "-o", page.toString(), "--force"), err::toString);
    }

    @Test
    void aFileThatIsNoSnapshotIsToldInThreeParts() {
        assertEquals(Main.FAILED,
                run(Checkout.file("README.md").toString(), "-o", folder.resolve("p.html").toString()));
        assertEquals(3, err.toString().lines().count(), err::toString);
    }
}
