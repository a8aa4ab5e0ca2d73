package io.vramlab.kernel.magic.builtin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Runs other programs for magics; they end with an interrupt of the cell. */
final class Processes {

    private static final Map<String, String> SET = new ConcurrentHashMap<>();
    private static final int CHUNK_CHARS = 4096;

    private Processes() {
    }

    /** The environment of the programs run here. */
    static Map<String, String> environment() {
        Map<String, String> all = new HashMap<>(System.getenv());
        all.putAll(SET);
        return all;
    }

    static void setVariable(String name, String value) {
        SET.put(name, value);
    }

    /**
     * Runs a program and shows what it prints while it prints it.
     *
     * @return its exit status
     */
    static int run(List<String> command, PrintStream out, PrintStream err) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(SET);
        Process process = builder.start();
        process.getOutputStream().close();
        Thread errors = new Thread(() -> copy(process.errorReader(UTF_8), err), "errors of " + command.getFirst());
        Thread output = new Thread(() -> copy(new InputStreamReader(process.getInputStream(), UTF_8), out),
                "output of " + command.getFirst());
        errors.start();
        output.start();
        try {
            int status = process.waitFor();
            output.join();
            errors.join();
            return status;
        } finally {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
    }

    private static void copy(Reader from, PrintStream to) {
        char[] chunk = new char[CHUNK_CHARS];
        try (from) {
            for (int count = from.read(chunk); count >= 0; count = from.read(chunk)) {
                to.print(String.valueOf(chunk, 0, count));
            }
        } catch (IOException e) {
            // a destroyed process closes its streams under the reader
            if (!"Stream closed".equals(e.getMessage())) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
