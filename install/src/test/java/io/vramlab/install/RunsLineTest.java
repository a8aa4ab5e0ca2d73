package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.junit.jupiter.api.Test;

class RunsLineTest {

    private final StringWriter shown = new StringWriter();

    private RunsLine line(boolean terminal) {
        return new RunsLine(new PrintWriter(shown), 20, "differing", terminal);
    }

    @Test
    void itTellsWhatRunsWhatIsDoneAndWhatWentWrong() {
        try (RunsLine line = line(false)) {
            assertEquals("0 of 20 done; 0 s", line.text(0));
            line.at("tour", 1, 38);
            line.at("leak", 2, 5);
            line.at("tour", 12, 38);
            assertEquals("0 of 20 done; now tour 12/38, leak 2/5; 3 s", line.text(3));
            line.ended("leak", false);
            line.ended("tour", true);
            assertEquals("2 of 20 done, 1 differing; 34 s", line.text(34));
        }
    }

    @Test
    void whereThereIsNoTerminalNothingIsDrawn() {
        try (RunsLine line = line(false)) {
            line.above(() -> shown.write("[1/20] a result\n"));
        }
        assertEquals("[1/20] a result\n", shown.toString());
    }

    @Test
    void onATerminalResultsStandAboveTheLineAndTheLineIsGoneAtTheEnd() {
        try (RunsLine line = line(true)) {
            line.above(() -> shown.write("[1/20] a result\n"));
        }
        String clear = "\r\u001b[K";
        assertTrue(shown.toString().contains(clear + "[1/20] a result\n"), shown::toString);
        assertTrue(shown.toString().endsWith(clear), shown::toString);
    }
}
