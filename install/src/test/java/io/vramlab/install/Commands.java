package io.vramlab.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs programs as a person would. */
final class Commands {

    private static final long LIMIT_MINUTES = 10;

    private Commands() {
    }

    /**
     * What a program did.
     *
     * @param status its exit status
     * @param out what it printed on stdout
     * @param err what it printed on stderr
     */
    record Ran(int status, String out, String err) {

        /** The same, having failed the test unless the status is 0. */
        Ran ok() {
            if (status != 0) {
                throw new AssertionError("exit status " + status + "\n" + out + "\n" + err);
            }
            return this;
        }
    }

    static Ran run(Map<String, String> environment, List<String> command) throws IOException, InterruptedException {
        Path out = Files.createTempFile("vramlab-out-", ".txt");
        Path err = Files.createTempFile("vramlab-err-", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).directory(Checkout.root().toFile())
                    .redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError("not ended after " + LIMIT_MINUTES + " minutes: " + command);
            }
            return new Ran(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8),
                    Files.readString(err, StandardCharsets.UTF_8));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    /** The packaged command. */
    static Ran vramlab(String... arguments) throws IOException, InterruptedException {
        return vramlab(Map.of(), arguments);
    }

    /** The packaged command with more in its environment. */
    static Ran vramlab(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        return vramlab(Path.of(System.getProperty("vramlab.jar")), environment, arguments);
    }

    /** The command of a jar; what compiles best takes the longest, and these commands are short. */
    static Ran vramlab(Path jar, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return run(environment, Stream.concat(
                Stream.of(java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar.toString()),
                Stream.of(arguments)).toList());
    }

    /** A Jupyter's python, found or made by the script that install/lab uses too. */
    static String jupyterPython() throws IOException, InterruptedException {
        return run(Map.of(), List.of(Checkout.file("install/find-jupyter").toString(), "run")).ok().out().strip();
    }

    /** A python with the public suites, in the checkout's own venv if nowhere else; empty, with the reason on stderr, without any. */
    static Optional<String> suitesPython() throws IOException, InterruptedException {
        Ran found = run(Map.of(), List.of(Checkout.file("install/find-jupyter").toString(), "test"));
        if (found.status() != 0) {
            System.err.print(found.err());
            return Optional.empty();
        }
        return Optional.of(found.out().strip());
    }

    /** A python with the tools around notebooks (nbgrader, jupytext and others), as {@link #suitesPython}. */
    static Optional<String> toolsPython() throws IOException, InterruptedException {
        Ran found = run(Map.of(), List.of(Checkout.file("install/find-jupyter").toString(), "tools"));
        if (found.status() != 0) {
            System.err.print(found.err());
            return Optional.empty();
        }
        return Optional.of(found.out().strip());
    }
}
