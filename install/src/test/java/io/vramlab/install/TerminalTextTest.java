package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

class TerminalTextTest {

    private final StringWriter shown = new StringWriter();

    @TempDir
    private Path folder;

    @Test
    void sequencesForTheTerminalAreMadeVisible() {
        PrintWriter terminal = new PrintWriter(shown, true);
        TerminalText text = new TerminalText(terminal);
        text.println("a\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u009b2J \u202egnp");
        text.print("ü 𝕏\n");
        assertEquals(
                "a\ufffd[31mred\ufffd[0m \ufffd]0;title\ufffd \ufffd2J \ufffdgnp" + System.lineSeparator() + "ü 𝕏\n",
                shown.toString());
        assertSame(terminal, TerminalText.raw(text));
    }

    @Test
    void whatReplayTellsOfAForgedNotebookSpeaksToNoTerminal() throws IOException {
        String whole = Files.readString(Checkout.file("notebooks/reports/leak.ipynb"));
        Path file = Files.writeString(folder.resolve("title\u001b]0;x\u0007.ipynb"),
                whole.replace("\"nbformat\": 4", "\"nbformat\": \"\\u001b[2J\""));
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(shown, true));
        line.setErr(new PrintWriter(shown, true));
        assertEquals(Main.FAILED, line.execute("replay", file.toString()));
        assertFalse(shown.toString().contains("\u001b"), shown::toString);
        assertFalse(shown.toString().isBlank());
    }
}
