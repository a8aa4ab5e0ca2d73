package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is recorded in a stranger's notebook harms {@code verify} no more than the commands that run nothing: {@link HostileNotebooksTest}. */
@Tag("long")
class HostileNotebooksIT {

    private static final List<String> RECORDED = List.of(
            "{\"output_type\": \"stream\", \"name\": \"stdout\", \"text\": \"\\u001b]0;owned\\u0007\\u001b[2J\\u202e\"}",
            "{\"output_type\": \"stream\", \"name\": {}, \"text\": [[[]]]}",
            "{\"output_type\": \"error\", \"ename\": 7}",
            "{\"output_type\": \"execute_result\", \"data\": {\"text/plain\": [\"2\", null]}}",
            "{\"output_type\": \"\\u001b[31mno such type\", \"data\": []}", "{}", "17",
            "{\"output_type\": \"display_data\", \"data\": {\"application/vnd.vramlab.history+json\": \"{\\\"version\\\": -1}\"}}");

    @TempDir
    private Path folder;

    @Test
    void whateverIsRecordedVerifyTellsInPlainLinesWhatDiffers() throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("verify"));
        for (int i = 0; i < RECORDED.size(); i++) {
            Path file = folder.resolve("hostile" + i + ".ipynb");
            arguments.add(Files.writeString(file, """
                    {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "metadata": {},
                     "source": "1 + 1", "outputs": [%s]}]}
                    """.formatted(RECORDED.get(i))).toString());
        }
        Commands.Ran ran = Installed.vramlab(arguments.toArray(String[]::new));
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        String told = ran.out() + ran.err();
        assertFalse(told.contains("not foreseen"), told);
        assertTrue(told.chars().noneMatch(c -> c != '\n' && Character.isISOControl(c)), told);
        for (int i = 0; i < RECORDED.size(); i++) {
            assertTrue(told.contains("hostile" + i), told);
        }
    }
}
