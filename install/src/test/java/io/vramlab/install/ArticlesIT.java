package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One command judges all claims of all articles anew. */
class ArticlesIT {

    /** Every example and claim of the five articles; b1 is the first of the second one. */
    private static final List<String> ROWS = List.of("a1", "a2", "a3", "a4", "a5", "a6", "b1", "b2", "b3", "b4", "b5",
            "c1",
            "c2", "c2b", "c3", "c4", "c5", "c6", "c7", "c8", "d1", "d2", "d3", "d4", "e0", "e1", "e2", "e3");

    @TempDir
    private Path folder;

    @Test
    void everyRowIsJudgedAndEveryFigureThatPyTorchRecordedIsEqual() throws Exception {
        Commands.Ran ran = Installed.vramlab(Stream.concat(Stream.of("articles"), notebooks().stream())
                .toArray(String[]::new));
        assertEquals(Main.OK, ran.status(), ran::toString);
        List<String> lines = ran.out().lines().toList();
        TreeSet<String> rows = new TreeSet<>();
        lines.stream().skip(2).takeWhile(line -> !line.isEmpty()).forEach(line -> rows.add(line.split(" ")[0]));
        assertEquals(new TreeSet<>(ROWS), rows, ran::out);
        assertTrue(ran.out().contains(" figures for 28 claims; 30 of 30 that PyTorch recorded"), ran::out);
    }

    @Test
    void aNotebookThatJudgesNothingIsToldSo() throws Exception {
        Path none = Files.writeString(folder.resolve("none.ipynb"), """
                {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
                  {"cell_type": "code", "metadata": {}, "source": "1 + 1", "outputs": []}]}
                """);
        Commands.Ran ran = Installed.vramlab("articles", none.toString());
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        assertTrue(ran.err().contains("Claims claims"), ran::err);
    }

    private static List<String> notebooks() throws IOException {
        try (Stream<Path> files = Files.list(Checkout.file("notebooks/articles"))) {
            return files.filter(file -> file.toString().endsWith(".ipynb")).map(Path::toString).sorted().toList();
        }
    }
}
