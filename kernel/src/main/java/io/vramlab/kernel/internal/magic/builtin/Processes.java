package io.vramlab.kernel.internal.magic.builtin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vramlab.kernel.spi.option.Folder;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs other programs for magics; they end with an interrupt of the cell. */
final class Processes {

    private static final Map<String, String> SET = new ConcurrentHashMap<>();
    private static final Logger LOG = Logger.getLogger(Processes.class.getName());
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

    /** The command that has the system's shell run a script. */
    static List<String> shell(String script) {
        boolean windows = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("win");
        return windows ? List.of("cmd", "/c", script) : List.of("sh", "-c", script);
    }

    /**
     * Runs a program in the folder of {@link Folder} and shows what it prints while it prints it.
     *
     * @param input
     *            what it reads
     * @return its exit status
     */
    static int run(List<String> command, String input, PrintStream out, PrintStream err)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(SET);
        builder.directory(Folder.current().toFile());
        Process process = builder.start();
        Thread feeder = new Thread(() -> feed(process, input), "input of " + command.getFirst());
        feeder.start();
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

    private static void feed(Process process, String input) {
        try (Writer to = process.outputWriter(UTF_8)) {
            to.write(input);
        } catch (IOException e) {
            // a program need not read all, or anything, of its input
            LOG.log(Level.FINE, "not read to its end: {0}", e.getMessage());
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
