package io.vramlab.install;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.vramlab.install.notebook.KernelSession;

/** Starts this distribution's kernel for commands that run notebooks, in the notebook's folder. */
final class FreshKernel {

    private FreshKernel() {
    }

    /**
     * A kernel for a notebook.
     *
     * @param device the GPU, as in VRAMLAB_DEVICE; empty for the default one
     */
    static KernelSession of(Path notebook, String device) throws IOException {
        return start(notebook, Stream.of(), device.isEmpty() ? Map.of() : Map.of("VRAMLAB_DEVICE", device));
    }

    /** A kernel in which real GPUs stand in for the simulated ones that the notebook names. */
    static KernelSession onRealGpus(Path notebook) throws IOException {
        return start(notebook, Stream.of("-Dvramlab.simulated.real=true"), Map.of());
    }

    private static KernelSession start(Path notebook, Stream<String> flags, Map<String, String> environment)
            throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = Stream.of(Stream.of(java), KernelSpec.JVM_FLAGS.stream(), flags,
                Stream.of("-jar", Distribution.running().jar().toString(), "kernel", "{connection_file}"))
                .flatMap(words -> words).toList();
        return new KernelSession(command, notebook.toAbsolutePath().getParent(), environment);
    }
}
