package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine;

/** What commands say of a file that is no snapshot, of standard input, and of a snapshot without a history. */
class SnapshotFileTest {

    private static final Path RECORDED = Checkout
            .file("runtime/conformance/src/test/resources/oracle/whatif/leak_default_nolimit.pickle.gz");
    /** One segment of 2 MiB with a block of 512 bytes in it, and no history. */
    private static final String WITHOUT_HISTORY = """
            {"segments": [{"device": 0, "address": 2097152, "total_size": 2097152, "allocated_size": 512, "active_size": 512,
              "stream": 0, "segment_type": "small", "blocks": [{"size": 512, "state": "active_allocated"},
              {"size": 2096640, "state": "inactive"}]}], "device_traces": []}
            """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }

    private String refused(String command, Path file) {
        assertEquals(Main.FAILED, run(command, file.toString()));
        String told = err.toString();
        assertEquals(3, told.lines().count(), told);
        assertTrue(!told.contains("Exception"), told);
        err.getBuffer().setLength(0);
        return told.lines().toList().get(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"report", "what-if", "view"})
    void whatIsNoSnapshotIsToldInWordsForSomebodyWhoKnowsNoJava(String command) throws IOException {
        assertEquals("There is no such file.", refused(command, folder.resolve("snapshot.pickle")));
        Path nowhere = folder.resolve("nowhere");
        assertEquals("There is no folder " + nowhere + ".", refused(command, nowhere.resolve("snapshot.pickle")));
        assertEquals("That is a folder.", refused(command, folder));
        Path file = folder.resolve("file.pickle");
        Files.write(file, new byte[0]);
        assertTrue(refused(command, file).contains("it is empty"));
        Files.write(file, "PK\u0003\u0004rest".getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(refused(command, file).contains("it is a zip archive, as torch.save writes models"));
        byte[] packed = Files.readAllBytes(RECORDED);
        Files.write(file, Arrays.copyOf(packed, packed.length / 2));
        assertTrue(refused(command, file).contains("it ends in the middle"));
        assertEquals(Main.FAILED, run(command, file.toString()));
        assertTrue(err.toString().contains("Copy it again as a whole, or dump it again"), err::toString);
        err.getBuffer().setLength(0);
        // pickle.dumps([], 2): what torch.cuda.memory_snapshot() returns is such a list
        Files.write(file, new byte[]{(byte) 0x80, 2, ']', 'q', 0, '.'});
        assertTrue(refused(command, file).contains("torch.cuda.memory_snapshot() returns segments alone"));
    }

    @Test
    void aSnapshotIsReadFromStandardInput() throws IOException {
        for (List<String> command : List.of(List.of("what-if", "-"), List.of("report", "-", "--json"),
                List.of("view", "-", "-o", folder.resolve("page.html").toString()))) {
            InputStream before = System.in;
            System.setIn(new ByteArrayInputStream(Files.readAllBytes(RECORDED)));
            try {
                assertEquals(Main.OK, run(command.toArray(String[]::new)), err::toString);
            } finally {
                System.setIn(before);
            }
        }
        assertTrue(out.toString().contains("Best: expandable_segments:True"), out::toString);
        Path notebook = folder.resolve("n.ipynb");
        assertEquals(Main.FAILED, run("report", "-", "-o", notebook.toString()));
        assertTrue(err.toString().contains("Its cells read the snapshot's file again, and there is none."),
                err::toString);
        assertFalse(Files.exists(notebook));
    }

    @Test
    void ofASnapshotFromStandardInputTheVerdictIsPrintedAndNoNotebookWritten() throws IOException {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(Files.readAllBytes(RECORDED)));
        try {
            assertEquals(Main.OK, run("report", "-"), err::toString);
        } finally {
            System.setIn(before);
        }
        assertTrue(out.toString().startsWith("GPU 0: ") && out.toString().contains("\nwhy:    "), out::toString);
        assertTrue(
                out.toString().stripTrailing().endsWith("No notebook was written: its cells would read the snapshot's"
                        + " file again, and there is none."),
                out::toString);
    }

    @Test
    void ofASnapshotWithoutAHistoryItIsSaidWhatItHoldsAndHowToRecordOne() throws IOException {
        Path file = Files.writeString(folder.resolve("s.json"), WITHOUT_HISTORY);
        assertEquals(Main.OK, run("report", file.toString(), "-o", folder.resolve("s.ipynb").toString()),
                err::toString);
        String told = out.toString();
        assertTrue(
                told.startsWith("No history was recorded, so why and where cannot be told. When the snapshot was taken"
                        + " 512 bytes were allocated of 2.00 MiB (2,097,152 bytes) reserved, in 1 segment."),
                told);
        assertTrue(told.contains("_record_memory_history"), told);
    }

    @Test
    void aCauseIsToldOfNoSnapshotWithoutAHistory() throws IOException {
        Path file = Files.writeString(folder.resolve("s.json"), WITHOUT_HISTORY.replace("\"device_traces\": []",
                "\"device_traces\": [[]]"));
        assertEquals(Main.OK, run("diff", file.toString(), RECORDED.toString()), err::toString);
        assertTrue(out.toString().contains("! cause: not told: no history was recorded | "), out::toString);
    }
}
