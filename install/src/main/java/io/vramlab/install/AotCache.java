package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.vramlab.install.notebook.KernelSession;
import io.vramlab.install.notebook.NotebookException;

/**
 * The ahead-of-time cache of a distribution: classes loaded and linked during a training run, so that later starts need not (JEP 483, 514).
 *
 * <p>
 * It lies beside the jars it was made from and carries the JVM's version in its name; another JVM or another build makes another one. The
 * kernel starts without it too, only slower, so a training run that fails is told and not an error.
 *
 * @param java the java program that will start the kernel
 * @param distribution the jars that it will start
 */
record AotCache(Path java, Distribution distribution) {

    /** What a first notebook does, so that the classes of it are in the cache. */
    private static final List<String> TRAINING = List.of("1 + 1", "int x = 2;\nString s = \"a\" + x;\ns",
            "System.out.println(\"hello\");",
            "record Point(int x, int y) {}\nvar p = new Point(1, 2);\np",
            "int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\nf(10)",
            "var a = Tensor.randn(64, 64);\nvar b = a.matmul(a).relu();\nb", "%track", "%memory_summary",
            "int broken = ;", "int[] none = new int[-1];", "b.close();");
    private static final Duration CELL = Duration.ofSeconds(60);
    private static final Duration WRITING = Duration.ofSeconds(120);

    /** Where the cache is. */
    Path file() {
        return distribution.folder()
                .resolve("kernel-" + Runtime.version().toString().replaceAll("[^0-9A-Za-z.-]", "_") + ".aot");
    }

    /**
     * Makes the cache unless it is there.
     *
     * @param err told when there will be none
     * @return the cache, or nothing when this JVM could not make one
     */
    Optional<Path> make(PrintWriter err) throws IOException {
        if (Files.exists(file())) {
            return Optional.of(file());
        }
        Path partial = file().resolveSibling(file().getFileName() + ".partial");
        try {
            train(partial);
            if (Files.exists(partial)) {
                Files.move(partial, file());
                return Optional.of(file());
            }
            err.println("No start-up cache could be made: the JVM wrote none. The kernel works and starts slower.");
        } catch (NotebookException failure) {
            err.println("No start-up cache could be made: " + failure.getMessage()
                    + " The kernel may not work; try 'vramlab doctor'.");
        } finally {
            Files.deleteIfExists(partial);
        }
        return Optional.empty();
    }

    private void train(Path output) throws IOException {
        List<String> command = new ArrayList<>(List.of(java.toString(), "-XX:AOTCacheOutput=" + output));
        command.addAll(KernelSpec.JVM_FLAGS);
        command.addAll(List.of("-jar", distribution.jar().toString(), "kernel", "{connection_file}"));
        try (KernelSession kernel = new KernelSession(command, distribution.folder())) {
            for (String cell : TRAINING) {
                kernel.execute(cell, CELL);
            }
            kernel.shutDown(WRITING);
        }
    }
}
