package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import io.vramlab.install.notebook.Comparison;
import io.vramlab.install.notebook.NotebookFile;
import io.vramlab.install.notebook.NotebookFile.CodeCell;
import io.vramlab.install.notebook.Output;

/** Every notebook runs through a real Jupyter client, and shows what it showed when it was saved. */
class NotebooksIT {

    private static final Pattern MACHINE_PATH = Pattern.compile("(/home|/root|/Users|/tmp|/var/folders)/[\\w.-]+");
    private static final long LARGEST_OUTPUT = 100_000;

    @TempDir
    private static Path folder;

    private static Commands.Ran run(Path notebook, Path out) throws IOException, InterruptedException {
        return Commands.run(Installed.environment(), List.of(Commands.jupyterPython(),
                Checkout.file("install/run_notebook.py").toString(), notebook.toString(), out.toString()));
    }

    @Test
    void lessonsReportsAndTheTourShowWhatTheyShowedWhenTheyWereSaved() throws Exception {
        showWhatTheyShowed(file -> !file.getParent().endsWith("articles"));
    }

    /** Their figures are judged in any run, by {@link ArticlesIT}. */
    @Test
    @Tag("long")
    void articlesShowWhatTheyShowedWhenTheyWereSaved() throws Exception {
        showWhatTheyShowed(file -> file.getParent().endsWith("articles"));
    }

    private static void showWhatTheyShowed(Predicate<Path> which) throws IOException, InterruptedException {
        // those in gpu/ were recorded on a real one, and what they show needs one
        List<String> files = notebooks().stream().filter(file -> !file.getParent().endsWith("gpu")).filter(which)
                .map(Path::toString).toList();
        Commands.Ran ran = Installed
                .vramlab(Stream.concat(Stream.of("verify"), files.stream()).toArray(String[]::new));
        assertEquals(Main.OK, ran.status(), ran::toString);
        assertTrue(ran.out().endsWith(files.size() + " notebooks: all as recorded\n"), ran::out);
    }

    @TestFactory
    Stream<DynamicTest> everyNotebookIsStoredExecutedAndTellsNothingOfTheMachine() throws IOException {
        return notebooks().stream().map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> {
            NotebookFile saved = NotebookFile.read(file);
            assertAll(
                    () -> assertTrue(saved.cells().stream()
                            .anyMatch(cell -> cell.outputs().stream().anyMatch(NotebooksIT::isResult)), "no result"),
                    () -> assertFalse(MACHINE_PATH.matcher(Files.readString(file)).find(), "a path of the machine"),
                    () -> assertTrue(saved.cells().stream()
                            .allMatch(cell -> cell.outputs().stream().mapToLong(output -> output.text().length())
                                    .sum() < LARGEST_OUTPUT)));
        }));
    }

    @Test
    void jupyterRunsTheTourTooAndItsPageHasTablesAndPictures() throws Exception {
        Path out = folder.resolve("page");
        Path tour = Checkout.file("notebooks/tour.ipynb");
        Commands.Ran ran = run(tour, out).ok();
        NotebookFile saved = NotebookFile.read(tour);
        NotebookFile now = NotebookFile.read(out.resolve(tour.getFileName()));
        for (int i = 0; i < saved.cells().size(); i++) {
            CodeCell cell = saved.cells().get(i);
            List<Output> shown = now.cells().get(i).outputs();
            assertEquals(List.of(), new Comparison(Comparison.Where.RECORDED).of(cell, shown),
                    () -> "In [" + cell.number() + "] " + cell.source());
        }
        assertTrue(ran.out().contains("PyTorch CUDA memory summary"), ran::out);
        String page = Files.readString(out.resolve("tour.html"));
        assertTrue(page.contains("<table") && page.contains("src=\"data:image/svg+xml;base64,"),
                "no table or no picture");
    }

    @Test
    void aFailingCellFailsTheRunAndItsMessageIsShown() throws Exception {
        Path broken = Files.writeString(folder.resolve("broken.ipynb"),
                """
                        {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "vramlab", "display_name": "", "language": "java"}},
                         "cells": [{"cell_type": "code", "id": "a", "metadata": {}, "source": "int x = 1 / 0;", "outputs": [], "execution_count": null}]}
                        """);
        Commands.Ran ran = run(broken, folder.resolve("broken"));
        assertEquals(1, ran.status());
        assertTrue(ran.err().contains("ArithmeticException"), ran::err);
    }

    /** A table, or, in notebooks that show how things fail, an error. */
    private static boolean isResult(Output output) {
        return output.isError() || output.kind().equals("data") && output.name().contains("text/html");
    }

    private static List<Path> notebooks() throws IOException {
        try (Stream<Path> files = Files.walk(Checkout.file("notebooks"))) {
            return files.filter(
                    file -> file.toString().endsWith(".ipynb") && !file.toString().contains(".ipynb_checkpoints"))
                    .sorted().toList();
        }
    }
}
