package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
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
