package io.vramlab.kernel;

import com.google.gson.JsonObject;
import io.vramlab.kernel.internal.agent.Agent;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/** Starts a kernel as frontends do: a process of its own, from a jar that names the agent. */
final class KernelProcess {

    private static final int LOOK_SECONDS = 20;

    private KernelProcess() {
    }

    /**
     * Starts one.
     *
     * @param folder
     *            takes its connection file, its history and, as {@code log}, what it prints
     * @param options
     *            for the JVM
     */
    static Process start(Path folder, JsonObject connection, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("connection.json"), connection.toString());
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--add-modules",
                        "jdk.incubator.vector"));
        command.addAll(List.of(options));
        command.addAll(List.of("-jar", jar(folder).toString(), file.toString()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("VRAMLAB_HISTORY", folder.resolve("private/history.jsonl").toString());
        builder.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile());
        return builder.start();
    }

    /** What a kernel that does not answer has printed, and what its threads do. */
    static String told(Process kernel, Path folder) throws IOException {
        Path threads = folder.resolve("threads");
        Process looking = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jstack").toString(),
                Long.toString(kernel.pid())).redirectErrorStream(true).redirectOutput(threads.toFile()).start();
        looking.onExit().completeOnTimeout(looking, LOOK_SECONDS, TimeUnit.SECONDS).join();
        looking.destroyForcibly();
        return Files.readString(folder.resolve("log")) + Files.readString(threads);
    }

    private static Path jar(Path folder) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, KernelMain.class.getName());
        attributes.put(Attributes.Name.CLASS_PATH, Arrays
                .stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(each -> Path.of(each).toUri().toString()).collect(Collectors.joining(" ")));
        attributes.putValue("Launcher-Agent-Class", Agent.class.getName());
        attributes.putValue("Can-Redefine-Classes", "true");
        attributes.putValue("Enable-Native-Access", "ALL-UNNAMED");
        Path jar = folder.resolve("kernel.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.flush();
        }
        return jar;
    }
}
