package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;

import io.vramlab.kernel.spi.text.HostileNames;
import io.vramlab.magics.bug.Events;
import io.vramlab.magics.bug.RecordedPart;
import io.vramlab.magics.bug.StateTables;

import picocli.CommandLine;

/** Notebooks from strangers through the commands that read them: an answer, or a refusal of three lines, and nothing else. */
class HostileNotebooksTest {

    private static final int MUTATIONS = Integer.getInteger("vramlab.mutations", 200);
    private static final List<String> NAMES = HostileNames.some(200);

    @TempDir
    private Path folder;

    private final Random random = new Random(15);
    private int read;
    private int refused;

    private String run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        int status = line.execute(arguments);
        String told = String.join(" ", arguments) + "\n" + err;
        assertFalse(told.contains("not foreseen"), told);
        assertTrue((out + told).chars().noneMatch(c -> c != '\n' && Character.isISOControl(c)), told);
        if (status == Main.OK) {
            read++;
            assertEquals("", err.toString());
        } else {
            refused++;
            assertEquals(Main.FAILED, status, told);
            assertTrue(err.toString().lines().count() >= 3, told);
        }
        return out.toString();
    }

    /** Halves of characters have no form in UTF-8, and are written as question marks. */
    private static void write(Path file, String text) throws IOException {
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonElement deep() {
        JsonElement deep = new JsonArray();
        for (int i = 0; i < 200; i++) {
            JsonArray around = new JsonArray();
            around.add(deep);
            deep = around;
        }
        return deep;
    }

    private JsonElement something() {
        return switch (random.nextInt(9)) {
            case 0 -> JsonNull.INSTANCE;
            case 1 -> new JsonPrimitive(random.nextLong());
            case 2 -> new JsonPrimitive(new java.math.BigDecimal("1e999999"));
            case 3 -> new JsonPrimitive(-1);
            case 4 -> new JsonPrimitive(NAMES.get(random.nextInt(NAMES.size())));
            case 5 -> new JsonObject();
            case 6 -> new JsonArray();
            case 7 -> deep();
            default -> new JsonPrimitive(true);
        };
    }

    /** Replaces a value somewhere, seldom the outermost ones. */
    private JsonElement mutated(JsonElement element, int depth) {
        if (depth > 1 && random.nextInt(6) == 0 || !element.isJsonArray() && !element.isJsonObject()) {
            return something();
        }
        if (element instanceof JsonArray array) {
            if (array.isEmpty()) {
                return something();
            }
            int at = random.nextInt(array.size());
            array.set(at, mutated(array.get(at), depth + 1));
        } else {
            JsonObject object = element.getAsJsonObject();
            List<String> names = new ArrayList<>(object.keySet());
            if (names.isEmpty()) {
                return something();
            }
            String name = names.get(random.nextInt(names.size()));
            object.add(name, mutated(object.get(name), depth + 1));
        }
        return element;
    }

    @Test
    void whateverANotebookHoldsItIsReadOrRefused() throws IOException {
        JsonObject leak = JsonParser.parseString(Checkout.text("notebooks/reports/leak.ipynb")).getAsJsonObject();
        Path file = folder.resolve("hostile.ipynb");
        for (int i = 0; i < MUTATIONS; i++) {
            write(file, mutated(leak.deepCopy(), 0).toString());
            run("diff", file.toString(), file.toString());
        }
        assertTrue(read > 0 && refused > 0, read + " read, " + refused + " refused");
    }

    @Test
    void namesThatAreThereTwiceAndNestingWithoutEndAreReadOrRefused() throws IOException {
        String whole = Checkout.text("notebooks/reports/leak.ipynb");
        Path file = folder.resolve("hostile.ipynb");
        for (String text : List.of(whole.replace("\"nbformat\": 4", "\"nbformat\": 4, \"nbformat\": 4"),
                whole.replaceFirst("\"cells\": \\[", "\"cells\": [], \"cells\": ["), "[".repeat(1_000_000),
                "{\"cells\":".repeat(100_000), "{\"nbformat\": 1e999999999, \"cells\": []}", "\u0000", "")) {
            Files.writeString(file, text);
            run("diff", file.toString(), file.toString());
        }
        assertTrue(refused > 0);
    }

    private String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private long number() {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextLong();
            case 1 -> 0;
            case 2 -> -1;
            case 3 -> Long.MAX_VALUE;
            case 4 -> 1L << 50;
            default -> random.nextInt(1 << 22);
        };
    }

    /** A part with nothing in it that a recorder wrote, and the checksum that belongs to it. */
    private RecordedPart forged() {
        Events events = new Events(0);
        int count = random.nextInt(12);
        for (int i = 0; i < count; i++) {
            events.add(Events.Kind.values()[random.nextInt(Events.Kind.values().length)],
                    random.nextInt(3) == 0 ? number() : random.nextInt(4) + (1 << random.nextInt(24)));
        }
        TreeMap<String, Long> statistics = new TreeMap<>();
        statistics.put(random.nextBoolean() ? "allocated_bytes.all.current" : name(), number());
        return new RecordedPart((int) number(), random.nextBoolean() ? "cuda:0" : name(),
                Map.of(name() + "a", name(), "kind", name()), random.nextInt(3) == 0 ? name() : "",
                random.nextInt(3) == 0 ? number() : 8L << 30, random.nextInt(3) == 0 ? number() : 0,
                random.nextInt(4) == 0 ? (int) number() : count, "", events,
                new StateTables(statistics, List.of(new StateTables.Alike(name(), name(), (int) number(), number()))),
                random.nextInt(8) == 0);
    }

    private static JsonObject notebook(String part) {
        JsonObject root = JsonParser.parseString("""
                {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "source": "",
                 "metadata": {}, "outputs": [{"output_type": "display_data", "metadata": {}, "data": {}}]}]}
                """).getAsJsonObject();
        root.getAsJsonArray("cells").get(0).getAsJsonObject().getAsJsonArray("outputs").get(0).getAsJsonObject()
                .getAsJsonObject("data").addProperty(RecordedPart.TYPE, part);
        return root;
    }

    @Test
    void partsForgedWithRightChecksumsAreReadOrRefused() throws IOException {
        Path file = folder.resolve("forged.ipynb");
        for (int i = 0; i < MUTATIONS; i++) {
            RecordedPart part = forged();
            write(file, notebook(part.json()).toString());
            run("replay", file.toString(), "--conf", "", "--html", folder.resolve("page.html").toString());
            run("diff", file.toString(), file.toString());
        }
        assertTrue(read > 0 && refused > 0, read + " read, " + refused + " refused");
    }
}
