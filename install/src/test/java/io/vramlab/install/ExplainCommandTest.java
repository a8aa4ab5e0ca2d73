package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.SequenceInputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import picocli.CommandLine;

class ExplainCommandTest {

    /** pytorch pull request 13751: the request is larger than the device. */
    private static final String MESSAGE = "RuntimeError: CUDA out of memory. Tried to allocate 16.00 GiB (GPU 0; 11.93 GiB total "
            + "capacity; 4.00 GiB already allocated; 7.33 GiB free; 179.00 KiB cached)";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... more) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        List<String> arguments = new ArrayList<>(List.of("explain"));
        arguments.addAll(List.of(more));
        return line.execute(arguments.toArray(String[]::new));
    }

    @Test
    void theMessageIsTakenFromTheArgument() {
        assertEquals(Main.OK, run(MESSAGE), err::toString);
        assertTrue(out.toString().startsWith("The request alone is larger than the device."), out::toString);
    }

    @Test
    void theMessageIsFoundInALog() throws IOException {
        Path log = folder.resolve("train.log");
        Files.writeString(log, "step 1\nstep 2\n" + MESSAGE + "\nexit 1\n");
        assertEquals(Main.OK, run(log.toString()), err::toString);
        assertTrue(out.toString().startsWith("The request alone is larger than the device."), out::toString);
    }

    @Test
    void theMessageIsReadFromStandardInput() {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(MESSAGE.getBytes(StandardCharsets.UTF_8)));
        try {
            assertEquals(Main.OK, run(), err::toString);
        } finally {
            System.setIn(before);
        }
        assertTrue(out.toString().contains("7.33 GiB"), out::toString);
    }

    /** A log of 70 million characters, more than are kept, with the message at its end. */
    @Test
    void ofALongStreamTheEndIsRead() {
        InputStream before = System.in;
        byte[] step = "step 1 of many, loss 0.0001\n".getBytes(StandardCharsets.UTF_8); // 28 bytes
        byte[] log = new byte[2_500_000 * step.length];
        for (int at = 0; at < log.length; at += step.length) {
            System.arraycopy(step, 0, log, at, step.length);
        }
        System.setIn(new SequenceInputStream(new ByteArrayInputStream(log),
                new ByteArrayInputStream(MESSAGE.getBytes(StandardCharsets.UTF_8))));
        try {
            assertEquals(Main.OK, run("-"), err::toString);
        } finally {
            System.setIn(before);
        }
        assertTrue(out.toString().startsWith("The request alone is larger than the device."), out::toString);
    }

    @Test
    void jsonHasEveryFigureWithTheBoundsOfItsDecimals() {
        assertEquals(Main.OK, run("--json", MESSAGE), err::toString);
        JsonObject told = JsonParser.parseString(out.toString()).getAsJsonObject();
        assertEquals(5, told.getAsJsonArray("figures").size());
        JsonObject tried = told.getAsJsonArray("figures").get(0).getAsJsonObject();
        assertEquals(16L << 30, tried.get("bytes").getAsLong());
        // half of 0.01 GiB: 5,368,709.12, rounded up
        assertEquals((16L << 30) - 5_368_710, tried.get("least").getAsLong());
        assertEquals(2, told.getAsJsonArray("next").size());
        assertEquals("proven", told.getAsJsonArray("findings").get(0).getAsJsonObject().get("kind").getAsString());
    }

    @Test
    void aFileThatIsNotThereAFolderAndASnapshotAreNotTakenForAMessage() throws IOException {
        assertEquals(Main.FAILED, run(folder.resolve("train.log").toString()));
        assertTrue(err.toString().contains("There is no such file."), err::toString);
        assertEquals(Main.FAILED, run(folder.toString()));
        assertTrue(err.toString().contains("It is a folder."), err::toString);
        Path snapshot = Files.write(folder.resolve("oom.pickle"), new byte[]{(byte) 0x80, 4, 0});
        assertEquals(Main.FAILED, run(snapshot.toString()));
        assertTrue(err.toString().contains("A memory snapshot: vramlab report " + snapshot), err::toString);
    }

    @Test
    void aTextWithoutAMessageIsToldInThreeParts() {
        assertEquals(Main.FAILED, run("all is well"));
        assertEquals(3, err.toString().lines().count(), err::toString);
    }

    /** Without options the command line is not parsed, which takes longer than the rest: nobody shall see a difference. */
    @Test
    void aPlainCommandLineIsAnsweredAsTheParsedOneIs() throws IOException {
        Path log = Files.writeString(folder.resolve("train.log"), "step 1\n" + MESSAGE + "\n");
        for (String said : List.of(MESSAGE, log.toString(), "no such thing", folder.resolve("gone.log").toString(),
                folder.toString(), "\u001b[31m" + MESSAGE)) {
            out.getBuffer().setLength(0);
            err.getBuffer().setLength(0);
            int status = run(said);
            ByteArrayOutputStream plainOut = new ByteArrayOutputStream();
            ByteArrayOutputStream plainErr = new ByteArrayOutputStream();
            assertTrue(ExplainCommand.isPlain("explain", said), said);
            assertEquals(status, ExplainCommand.plain(new String[]{"explain", said}, plainOut, plainErr), said);
            assertEquals(out.toString(), plainOut.toString(StandardCharsets.UTF_8));
            assertEquals(err.toString(), plainErr.toString(StandardCharsets.UTF_8));
        }
    }

    @Test
    void whatHasOptionsOrIsAnotherCommandIsParsed() {
        assertFalse(ExplainCommand.isPlain());
        assertFalse(ExplainCommand.isPlain("report", "x"));
        assertFalse(ExplainCommand.isPlain("explain", "--json", MESSAGE));
        assertFalse(ExplainCommand.isPlain("explain", MESSAGE, "-h"));
        assertFalse(ExplainCommand.isPlain("explain", "@arguments"));
        assertTrue(ExplainCommand.isPlain("explain", "-"));
        assertTrue(ExplainCommand.isPlain("explain"));
    }
}
