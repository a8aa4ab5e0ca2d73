package io.vramlab.install.notebook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NotebookFileTest {

    private static final Path FILE = Path.of("x.ipynb");

    @Test
    void codeCellsAreReadInOrderAndTextCellsAreNot() {
        NotebookFile notebook = NotebookFile.parse(FILE, """
                {"nbformat": 4, "cells": [
                  {"cell_type": "markdown", "metadata": {}, "source": "# Hello"},
                  {"cell_type": "code", "metadata": {}, "source": ["int a = 1;\\n", "a"], "outputs": [
                    {"output_type": "stream", "name": "stdout", "text": "one "},
                    {"output_type": "stream", "name": "stdout", "text": ["two"]},
                    {"output_type": "execute_result", "data": {"text/plain": "1", "text/html": "<b>1</b>"}}]},
                  {"cell_type": "code", "metadata": {"tags": ["raises-exception"]}, "source": "x", "outputs": [
                    {"output_type": "error", "ename": "E", "evalue": "why", "traceback": ["E", "why"]}]}]}
                """);
        assertEquals(List.of(
                new NotebookFile.CodeCell(1, "int a = 1;\na", Set.of(),
                        List.of(new Output("stream", "stdout", "one two"),
                                new Output("data", "text/html, text/plain", "1", Map.of("text/html", "<b>1</b>")))),
                new NotebookFile.CodeCell(2, "x", Set.of("raises-exception"),
                        List.of(new Output("error", "E", "why", Map.of("traceback", "E\nwhy"))))),
                notebook.cells());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "null", "{}", "{\"nbformat\": 4}", "{\"nbformat\": \"x\", \"cells\": []}",
            "{\"nbformat\": 3, \"cells\": []}",
            "{\"nbformat\": 4, \"cells\": [1]}", "{\"nbformat\": 4, \"cells\": [{\"cell_type\": \"code\"}]}",
            "{\"nbformat\": 4, \"cells\": [{\"cell_type\": \"code\", \"metadata\": {}, \"source\": {}, \"outputs\": []}]}",
            "{\"nbformat\": 4, \"cells\": [{\"cell_type\": \"code\", \"metadata\": {}, \"source\": \"\", \"outputs\": [{\"output_type\": \"?\"}]}]}"})
    void whatIsNoNotebookIsRefusedInOneLine(String text) {
        NotebookException refused = assertThrows(NotebookException.class, () -> NotebookFile.parse(FILE, text));
        assertTrue(refused.getMessage().startsWith("x.ipynb "), refused::getMessage);
    }

    @Test
    void deepNestingIsRefused() {
        String text = "[".repeat(200_000) + "]".repeat(200_000);
        assertThrows(NotebookException.class, () -> NotebookFile.parse(FILE, text));
    }
}
