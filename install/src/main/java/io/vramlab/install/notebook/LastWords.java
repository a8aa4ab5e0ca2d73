package io.vramlab.install.notebook;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** What a kernel's process said last, kept in memory: no file of it is left behind, however the processes end. */
final class LastWords {

    private static final int LINES = 3;
    private static final int LONGEST = 2000;
    private static final int PATIENCE_SECONDS = 5;

    private final Deque<String> lines = new ArrayDeque<>();
    private final Thread reader;

    /** Reads until the stream ends. */
    LastWords(InputStream said) {
        reader = Thread.ofPlatform().daemon().name("last words").start(() -> read(said));
    }

    private void read(InputStream said) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(said, StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c >= 0; c = in.read()) {
                if (c == '\n') {
                    ended(line);
                } else if (line.length() < LONGEST) {
                    line.append((char) c);
                }
            }
            ended(line);
        } catch (IOException gone) {
            // the process has ended, and what it said until then is here
            return;
        }
    }

    private synchronized void ended(StringBuilder line) {
        if (!line.isEmpty()) {
            lines.add(line.toString());
            if (lines.size() > LINES) {
                lines.remove();
            }
            line.setLength(0);
        }
    }

    /** The last lines of a process that has ended. */
    String text() {
        try {
            reader.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            return lines.isEmpty() ? "it said nothing" : String.join(" / ", lines);
        }
    }
}
