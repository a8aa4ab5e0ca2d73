package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Saved notebooks are run again in a fresh kernel of the packaged command, without any Jupyter. */
class VerifyIT {

    private static final String NOTEBOOK = """
            {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
              {"cell_type": "code", "metadata": {}, "source": "int x = 20;\\nx + 1", "outputs": [
                {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "%s"}}]},
              {"cell_type": "code", "metadata": {}, "source": "System.out.println(x);", "outputs": [
                {"output_type": "stream", "name": "stdout", "text": "20\\n"}]},
              {"cell_type": "code", "metadata": {"tags": ["raises-exception"]}, "source": "%s", "outputs": [
                {"output_type": "error", "ename": "java.lang.ArithmeticException", "evalue": "/ by zero", "traceback": []}]}]}
            """;

    @TempDir
    private Path folder;

    private Commands.Ran verify(String recorded, String lastCell) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("saved.ipynb"), NOTEBOOK.formatted(recorded, lastCell));
        return Commands.vramlab("verify", file.toString());
    }

    @Test
    void aNotebookThatStillShowsWhatItShowedPasses() throws Exception {
        Commands.Ran ran = verify("21", "x / 0");
        assertEquals(Main.OK, ran.status(), ran::toString);
        assertTrue(ran.out().endsWith("saved.ipynb: 3 cells, as recorded\n"), ran::out);
    }

    @Test
    void anEditedOutputIsFoundWithBothTexts() throws Exception {
        Commands.Ran ran = verify("22", "x / 0");
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        assertTrue(ran.out().contains("cell 1: another text") && ran.out().contains("recorded: 22")
                && ran.out().contains("now:      21"), ran::out);
    }

    @Test
    void comparedWithARunOnTheSimulatedGpuWhatIsRecordedDoesNotCount() throws Exception {
        Path file = Files.writeString(folder.resolve("saved.ipynb"), NOTEBOOK.formatted("22", "x / 0"));
        Commands.Ran ran = Commands.vramlab("verify", "--both", "--device", "sim:1GiB", file.toString());
        assertEquals(Main.OK, ran.status(), ran::toString);
    }

    @Test
    void withoutARealGpuAskingForOneIsRefusedInThreeSentences() throws Exception {
        assumeFalse(Files.exists(Path.of("/dev/nvidiactl")), "this machine has a GPU");
        Path file = Files.writeString(folder.resolve("saved.ipynb"), NOTEBOOK.formatted("21", "x / 0"));
        Commands.Ran ran = Commands.vramlab("verify", "--device", "cuda", file.toString());
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        assertTrue(ran.err().contains("The notebooks were to run on a real GPU."), ran::toString);
    }

    @Test
    void aFailureThatNoLongerOccursIsRecognised() throws Exception {
        Commands.Ran ran = verify("21", "x / 2");
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        assertTrue(ran.out().contains("cell 3: the recorded failure no longer occurs"), ran::out);
    }

    @Test
    void aFileThatIsNoNotebookIsToldAndTheOthersAreStillVerified() throws Exception {
        Path none = Files.writeString(folder.resolve("none.ipynb"), "{}");
        Path good = Files.writeString(folder.resolve("good.ipynb"), NOTEBOOK.formatted("21", "x / 0"));
        Commands.Ran ran = Commands.vramlab("verify", none.toString(), good.toString());
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        assertTrue(ran.out().contains("is no notebook") && ran.out().contains("good.ipynb: 3 cells, as recorded"),
                ran::out);
    }
}
