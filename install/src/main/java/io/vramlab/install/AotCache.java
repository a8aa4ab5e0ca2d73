package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The ahead-of-time cache of a distribution: classes loaded and linked during a training run, so that later starts need not (JEP 483, 514).
 *
 * <p>
 * It lies beside the jars it was made from and carries the JVM's version in its name; another JVM or another build makes another one. The
 * kernel starts without it too, only slower, so a training run that fails is told and not an error.
 *
 * @param java the java program that will start the kernel
 * @param distribution the jars that it will start
 * @param audience for whom
 */
record AotCache(Path java, Installation distribution, Audience audience) {

    private static final long LIMIT_SECONDS = 600;
    /**
     * Training with the first compiler alone leaves no profiles in the cache (JEP 515): with them, every start begins by
     * compiling again, with the second compiler too, what training found hot, and on two cores the user waits for that.
     */
    private static final String NO_PROFILES = "-XX:TieredStopAtLevel=1";

    /** Where the cache is. */
    Path file() {
        return distribution.folder().resolve(name(Runtime.version().toString()));
    }

    /** The cache of a distribution for this JVM, if there is one. */
    static Optional<Path> of(Installation distribution) {
        return Optional.of(distribution.folder().resolve(name(Runtime.version().toString()))).filter(Files::isReadable);
    }

    /** The caches in a distribution, each made by a build of the JDK. */
    static List<Path> in(Path distribution) throws IOException {
        try (Stream<Path> files = Files.list(distribution)) {
            return files.map(Path::getFileName).filter(each -> each.toString().matches("kernel-.*\\.aot")).toList();
        }
    }

    /** The name of the cache that a build of the JDK makes, which no other one takes. */
    static String name(String build) {
        return "kernel-" + build.replaceAll("[^0-9A-Za-z.-]", "_") + ".aot";
    }

    /**
     * Makes the cache unless it is there.
     *
     * @param err told when there will be none
     * @return the cache, or nothing when this JVM could not make one
     */
    Optional<Path> make(PrintWriter err) throws IOException {
        return Files.exists(file()) || makeIn(file(), err) ? Optional.of(file()) : Optional.empty();
    }

    /**
     * Makes the cache.
     *
     * @param target the file that appears when it is complete
     * @param err told when there will be none
     * @return false when this JVM could not make one
     */
    boolean makeIn(Path target, PrintWriter err) throws IOException {
        Path partial = target.resolveSibling(target.getFileName() + "." + ProcessHandle.current().pid() + ".partial");
        Path log = Files.createTempFile("vramlab-training-", ".log");
        try {
            String trouble = train(partial, log);
            if (trouble.isEmpty()) {
                Permissions.set(partial, audience);
                Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
                return true;
            }
            err.println("No start-up cache could be made, so the kernel will start slower: " + trouble);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            Files.deleteIfExists(partial);
            Files.deleteIfExists(partial.resolveSibling(partial.getFileName() + ".config")); // of a JDK that was stopped
            Files.deleteIfExists(log);
        }
        return false;
    }

    private String train(Path output, Path log) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(java.toString(), "-XX:AOTCacheOutput=" + output));
        command.addAll(KernelSpec.jvmFlags(distribution));
        command.add(NO_PROFILES);
        command.addAll(List.of("-jar", distribution.jar().toString(), "kernel", "--train"));
        Process training = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        if (!training.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            training.destroyForcibly().waitFor();
            return "the training run took more than " + LIMIT_SECONDS + " seconds.";
        }
        if (training.exitValue() == 0 && Files.exists(output)) {
            return "";
        }
        List<String> said = Files.readAllLines(log);
        return "the training run ended with " + training.exitValue() + ". "
                + String.join(" / ", said.subList(Math.max(0, said.size() - 3), said.size()));
    }
}
