package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A command that is killed takes the kernels along that it started, and leaves no file of theirs. */
class KilledCommandsIT {

    private static final int PATIENCE_SECONDS = 120;
    private static final String NOTEBOOK = """
            {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
              {"cell_type": "code", "metadata": {}, "outputs": [],
               "source": "java.nio.file.Files.writeString(Path.of(\\"begun\\"), \\"x\\");\\nwhile (true) { }"}]}
            """;

    @TempDir
    private Path folder;

    private Process start(String command) throws IOException {
        Files.createDirectories(folder.resolve("tmp"));
        Path notebook = Files.writeString(folder.resolve("endless.ipynb"), NOTEBOOK);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new ProcessBuilder(java, "-Djava.io.tmpdir=" + folder.resolve("tmp"), "-jar",
                Installed.jar().toString(), command, notebook.toString()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile()).start();
    }

    private interface Condition {
        boolean isSo() throws IOException;
    }

    private static void await(String what, Condition condition) throws IOException, InterruptedException {
        for (int i = 0; i < PATIENCE_SECONDS * 10; i++) {
            if (condition.isSo()) {
                return;
            }
            Thread.sleep(100);
        }
        throw new AssertionError("not in " + PATIENCE_SECONDS + " s: " + what);
    }

    private void kill(Process command, boolean forcibly) throws IOException, InterruptedException {
        List<ProcessHandle> kernels = command.descendants().toList();
        assertEquals(1, kernels.size());
        try {
            if (forcibly) {
                command.destroyForcibly();
            } else {
                command.destroy();
            }
            assertTrue(command.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
            await("the kernel ends", () -> !kernels.getFirst().isAlive());
        } finally {
            kernels.forEach(ProcessHandle::destroyForcibly);
        }
        await("no file is left", () -> left().isEmpty());
    }

    private List<String> left() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("tmp"))) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.startsWith("vramlab-kernel"))
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({"verify, false", "verify, true", "growth, true", "articles, true"})
    void whileACellRunsTheKernelEndsWithIt(String command, boolean forcibly) throws Exception {
        Process process = start(command);
        await("the cell runs", () -> Files.exists(folder.resolve("begun")));
        kill(process, forcibly);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whileTheKernelStartsItEndsWithIt(boolean forcibly) throws Exception {
        Process process = start("verify");
        await("there is a kernel", () -> process.descendants().findAny().isPresent());
        kill(process, forcibly);
    }
}
