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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import picocli.CommandLine;

class WhatIfCommandTest {

    private static final String SNAPSHOT = Checkout
            .file("runtime/conformance/src/test/resources/oracle/whatif/leak_default_nolimit.pickle.gz").toString();

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... more) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        List<String> arguments = new ArrayList<>(List.of("what-if"));
        arguments.addAll(List.of(more));
        return line.execute(arguments.toArray(String[]::new));
    }

    @Test
    void aSensibleSetOfSettingsIsTriedAndTheBestNamed() {
        assertEquals(Main.OK, run(SNAPSHOT), err::toString);
        assertTrue(out.toString().contains("expandable_segments:True") && out.toString().contains("Best: "),
                out::toString);
    }

    @Test
    void jsonHasOneObjectPerSettingWithWhatWasAsked() {
        assertEquals(Main.OK,
                run(SNAPSHOT, "--json", "--conf", "", "--conf", "expandable_segments:True", "--limit", "1GiB"),
                err::toString);
        JsonArray array = JsonParser.parseString(out.toString()).getAsJsonArray();
        assertEquals(2, array.size());
        JsonObject first = array.get(0).getAsJsonObject();
        assertEquals("", first.get("conf").getAsString());
        assertEquals(1L << 30, first.get("limit").getAsLong());
        assertTrue(first.get("reserved_peak").getAsLong() <= 1L << 30, out::toString);
        // it leaks: under a limit it must end so
        assertTrue(first.get("oom").isJsonObject(), out::toString);
    }

    /**
     * 20 MiB were reserved when 50 MiB were asked for, and 22 MiB later: so 22 MiB were allowed. Under no limit nothing would fail, which
     * is not what was asked.
     */
    @Test
    void aHistoryThatFailedIsReplayedUnderWhatItProvesWasAllowed(@TempDir Path folder) throws IOException {
        Path failed = Files.writeString(folder.resolve("s.json"),
                """
                        {"segments": [], "device_traces": [[
                          {"action": "segment_alloc", "addr": 2097152, "size": 20971520, "stream": 0},
                          {"action": "alloc", "addr": 2097152, "size": 20971520, "stream": 0},
                          {"action": "oom", "device_free": 80000000000, "size": 52428800, "stream": 0},
                          {"action": "segment_alloc", "addr": 33554432, "size": 2097152, "stream": 0},
                          {"action": "alloc", "addr": 33554432, "size": 1048576, "stream": 0}]]}
                        """);
        assertEquals(Main.OK, run(failed.toString()), err::toString);
        assertTrue(out.toString().startsWith("GPU 0, replayed with at most 22.00 MiB (23,068,672 bytes) reserved, "),
                out::toString);
        assertTrue(out.toString().contains("at event 2, asking for 50.00 MiB (52,428,800 bytes)"), out::toString);
        assertTrue(out.toString().contains("None of these settings is enough: memory runs out under each."),
                out::toString);
        out.getBuffer().setLength(0);
        assertEquals(Main.OK, run(failed.toString(), "--limit", "1GiB"), err::toString);
        assertTrue(out.toString().startsWith("device") && out.toString().contains("Best: "), out::toString);
    }

    @Test
    void whoNamesALogOrARecordingIsToldWhatReadsIt(@TempDir Path folder) throws IOException {
        Path log = Files.writeString(folder.resolve("train.log"), "CUDA out of memory. Tried to allocate 1.53 GiB.");
        assertEquals(Main.FAILED, run(log.toString()));
        assertTrue(err.toString().stripTrailing().endsWith("vramlab explain " + log), err::toString);
        Path trace = Files.writeString(folder.resolve("step.trace"), "x");
        assertEquals(Main.FAILED, run(trace.toString()));
        assertTrue(err.toString().stripTrailing().endsWith("vramlab plan " + trace), err::toString);
    }

    @ParameterizedTest
    @CsvSource({"--limit,x", "--limit,-1", "--device,y", "--conf,nonsense:1"})
    void whatCannotBeMeantIsToldInThreeParts(String option, String value) {
        assertEquals(Main.FAILED, run(SNAPSHOT, option, value));
        assertEquals(3, err.toString().lines().count(), err::toString);
        assertTrue(out.toString().isEmpty(), out::toString);
    }

    @Test
    void aFileThatIsNoSnapshotIsToldInThreeParts() {
        assertEquals(Main.FAILED, run(Checkout.file("README.md").toString()));
        assertEquals(3, err.toString().lines().count(), err::toString);
    }
}
