package io.vramlab.install;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The packaged kernel, installed for all integration tests with its start-up cache: a kernel takes some five times as much
 * of the processors to start without.
 */
final class Installed {

    private static final Path PREFIX = install();

    private Installed() {
    }

    private static Path install() {
        Path prefix = Checkout.file("install/target/installed");
        try {
            // done again, by another process of tests, it finds all there
            Commands.vramlab("install", "--prefix", prefix.toString()).ok();
            return prefix;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static KernelSpec kernelSpec() {
        return new KernelSpec(PREFIX.resolve("share/jupyter/kernels/vramlab"));
    }

    /** How a Jupyter finds the kernel. */
    static Map<String, String> environment() {
        return Map.of("JUPYTER_PATH", PREFIX.resolve("share/jupyter").toString());
    }

    /** How a Jupyter starts the kernel. */
    static List<String> kernel() {
        return kernelSpec().command();
    }

    /** How the kernel is started without the connection file, the last word of {@link #kernel}. */
    static List<String> kernelAlone() {
        List<String> command = kernel();
        return command.subList(0, command.size() - 1);
    }

    /** The jar that is started. */
    static Path jar() {
        return new Installation(kernelSpec().distribution().orElseThrow()).jar();
    }

    /** The command of what is installed: its kernels start with the cache. */
    static Commands.Ran vramlab(String... arguments) throws IOException, InterruptedException {
        return vramlab(Map.of(), arguments);
    }

    /** The same with more in its environment. */
    static Commands.Ran vramlab(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        return Commands.vramlab(jar(), environment, arguments);
    }
}
