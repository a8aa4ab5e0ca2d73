package io.vramlab.kernel.judge;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/** What is printed while this is open. */
final class Captured implements AutoCloseable {

    private final PrintStream before = System.out;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Captured() {
        System.setOut(new PrintStream(bytes, true, UTF_8));
    }

    /** What was printed since the last call, without the names that classes have here. */
    String take() {
        System.out.flush();
        String text = Show.name(bytes.toString(UTF_8));
        bytes.reset();
        return text;
    }

    @Override
    public void close() {
        System.setOut(before);
    }
}
