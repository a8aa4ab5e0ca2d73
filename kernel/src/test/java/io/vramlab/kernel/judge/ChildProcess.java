package io.vramlab.kernel.judge;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A JVM of its own with the tests' classes. */
final class ChildProcess {

    private static final Gson GSON = new GsonBuilder().serializeNulls().create();

    private ChildProcess() {
    }

    /**
     * Runs a main class, whose arguments begin with a file to read JSON from and one to write JSON to.
     *
     * @param classes
     *            a folder with more classes, or null
     */
    static <T> T ask(Class<?> main, Object question, Type answer, Path folder, Path classes)
            throws IOException, InterruptedException {
        return ask(main, List.of(), question, answer, folder, classes);
    }

    /** The same with more flags for the JVM. */
    static <T> T ask(Class<?> main, List<String> flags, Object question, Type answer, Path folder, Path classes)
            throws IOException, InterruptedException {
        Path asked = folder.resolve("asked.json");
        Path answered = folder.resolve("answered.json");
        Path log = folder.resolve("log.txt");
        Files.writeString(asked, GSON.toJson(question));
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8"));
        command.addAll(flags);
        if (ChildProcess.class.desiredAssertionStatus()) {
            command.add("-ea");
        }
        command.addAll(
                List.of("-cp", classPath + (classes == null ? "" : System.getProperty("path.separator") + classes),
                        main.getName(), asked.toString(), answered.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        if (process.waitFor() != 0) {
            throw new IOException(main.getSimpleName() + " ended: " + Files.readString(log));
        }
        return GSON.fromJson(Files.readString(answered), answer);
    }

    /** Reads what was asked; in the child. */
    static <T> T asked(String[] arguments, Type type) throws IOException {
        return GSON.fromJson(Files.readString(Path.of(arguments[0])), type);
    }

    /** Writes the answer; in the child. */
    static void answer(String[] arguments, Object answer) throws IOException {
        Files.writeString(Path.of(arguments[1]), GSON.toJson(answer));
    }

    /** Removes a folder with all that is in it. */
    static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted((a, b) -> b.compareTo(a)).forEach(each -> {
                try {
                    Files.delete(each);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
