package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.junit.jupiter.api.Test;

class ProgressLineTest {

    @Test
    void whatTellsNothingMeanwhileIsToldToGoOn() throws InterruptedException {
        StringWriter told = new StringWriter();
        try (ProgressLine line = ProgressLine.on(new PrintWriter(told), true)) {
            line.at("reading large.pickle", 0, 1);
            for (int i = 0; i < 200 && !told.toString().contains("so far"); i++) {
                Thread.sleep(50);
            }
        }
        assertTrue(told.toString().contains("reading large.pickle: "), told::toString);
        assertTrue(told.toString().contains(" s so far"), told::toString);
        assertTrue(told.toString().endsWith("\r\u001b[K"), told::toString);
    }

    @Test
    void withoutATerminalNothingIsTold() {
        StringWriter told = new StringWriter();
        try (ProgressLine line = ProgressLine.on(new PrintWriter(told), false)) {
            line.at("reading large.pickle", 0, 1);
        }
        assertEquals("", told.toString());
    }
}
