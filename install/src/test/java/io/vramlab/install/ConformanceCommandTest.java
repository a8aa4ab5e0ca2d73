package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;

import io.vramlab.device.Device;

import picocli.CommandLine;

class ConformanceCommandTest {

    private static final Path TRACE = Checkout
            .file("runtime/conformance/src/test/resources/oracle/traces/default_train_s11.json.gz");

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();

    private int run(Path... files) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        String[] arguments = new String[files.length + 1];
        arguments[0] = "conformance";
        for (int i = 0; i < files.length; i++) {
            arguments[i + 1] = files[i].toString();
        }
        return line.execute(arguments);
    }

    private static JsonObject recording() throws IOException {
        try (InputStream bytes = new GZIPInputStream(new ByteArrayInputStream(Files.readAllBytes(TRACE)))) {
            return JsonParser.parseString(new String(bytes.readAllBytes(), StandardCharsets.UTF_8)).getAsJsonObject();
        }
    }

    private Path saved(String name, JsonObject json) throws IOException {
        return Files.writeString(folder.resolve(name), json.toString());
    }

    private int run(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(out, true));
        return line.execute(arguments);
    }

    @Test
    void aRecordingIsReplayedOverTheMemoryOfAChosenDevice() {
        assertEquals(Main.OK, run("conformance", "--device", "sim:H200", TRACE.toString()));
        assertTrue(out.toString().contains("4,000 operations, 0 mismatches in 1 of 1 files"), out::toString);
        Device.select("sim:8GiB");
    }

    @Test
    void aDeviceThatIsNotThereIsRefusedInThreeSentences() {
        assertEquals(Main.FAILED, run("conformance", "--device", "sim:NoSuchGpu", TRACE.toString()));
        assertTrue(out.toString().contains("The recordings were to be replayed on sim:NoSuchGpu."), out::toString);
    }

    @Test
    void aRecordingUnderAnotherNameAndUncompressedIsReplayed() throws IOException {
        assertEquals(Main.OK, run(saved("never seen", recording()), TRACE));
        // 4,000 operations in each of the two
        assertTrue(out.toString().endsWith("8,000 operations, 0 mismatches in 2 of 2 files\n"), out::toString);
    }

    @Test
    void oneStatisticThatIsOneByteOffIsAMismatchAndShownInFull() throws IOException {
        JsonObject json = recording();
        JsonArray row = json.getAsJsonArray("stats").get(1_000).getAsJsonArray();
        row.set(0, new JsonPrimitive(row.get(0).getAsLong() + 1));
        assertEquals(Main.FAILED, run(saved("altered", json)));
        assertTrue(out.toString().contains("4,000 operations, 1 mismatches"), out::toString);
        assertTrue(out.toString().contains("1000"), out::toString);
    }

    @Test
    void whatIsNoRecordingFailsAndTheOthersAreStillJudged() throws IOException {
        Path none = Files.writeString(folder.resolve("none"), "no recording");
        assertEquals(Main.FAILED, run(none, folder.resolve("absent"), TRACE));
        assertEquals(4, out.toString().lines().count(), out::toString);
        assertTrue(out.toString().endsWith("4,000 operations, 0 mismatches in 1 of 3 files\n"), out::toString);
    }

    @Test
    void aTruncatedRecordingIsRefusedInOneLine() throws IOException {
        byte[] whole = Files.readAllBytes(TRACE);
        Path half = Files.write(folder.resolve("half"), Arrays.copyOf(whole, whole.length / 2));
        assertEquals(Main.FAILED, run(half));
        assertEquals(2, out.toString().lines().count(), out::toString);
    }
}
