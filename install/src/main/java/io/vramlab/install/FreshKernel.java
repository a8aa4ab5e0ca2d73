package io.vramlab.install;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.vramlab.install.notebook.KernelProcess;
import io.vramlab.install.notebook.NotebookException;

/**
 * Starts this distribution's kernel for commands that run notebooks, in the notebook's folder; with its start-up cache, if
 * it is installed with one.
 */
final class FreshKernel {

    private FreshKernel() {
    }

    /**
     * A kernel for a notebook.
     *
     * @param device the GPU, as in VRAMLAB_DEVICE; empty for the default one
     * @param recording whether it records its memory's history from the first cell on
     */
    static KernelProcess of(Path notebook, String device, boolean recording) throws IOException {
        Map<String, String> environment = environment(recording);
        if (!device.isEmpty()) {
            environment.put("VRAMLAB_DEVICE", device);
        }
        return start(notebook, environment);
    }

    /** A kernel in which real GPUs stand in for the simulated ones that the notebook names. */
    static KernelProcess onRealGpus(Path notebook, boolean recording) throws IOException {
        Map<String, String> environment = environment(recording);
        environment.put("VRAMLAB_SIMULATED", "real");
        return start(notebook, environment);
    }

    private static Map<String, String> environment(boolean recording) {
        return new HashMap<>(recording ? Map.of("VRAMLAB_BUG_REPORT", "on") : Map.of());
    }

    private static KernelProcess start(Path notebook, Map<String, String> environment)
            throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Installation here = Installation.running();
        List<String> command = Stream.of(KernelSpec.start(java, here, AotCache.of(here)).stream(),
                Stream.of("-jar", here.jar().toString(), "kernel", "{connection_file}"))
                .flatMap(words -> words).toList();
        try {
            return KernelProcess.start(command, notebook.toAbsolutePath().getParent(), environment);
        } catch (NotebookException silent) {
            throw silent;
        } catch (IOException refused) {
            throw new CommandFailure("A kernel was to be started for %s.".formatted(notebook),
                    "That failed: %s.".formatted(refused.getMessage()),
                    "If it is for want of space, make room in %s, or name another folder for temporary files: JDK_JAVA_OPTIONS=-Djava.io.tmpdir=DIR."
                            .formatted(System.getProperty("java.io.tmpdir")));
        }
    }
}
