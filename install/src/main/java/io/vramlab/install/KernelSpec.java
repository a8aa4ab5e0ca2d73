package io.vramlab.install;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonSyntaxException;

/**
 * The folder by which Jupyter knows the kernel: {@code kernel.json} and three logos.
 *
 * @param folder the folder; its name is the kernel's
 */
record KernelSpec(Path folder) {

    /**
     * The serial collector and a small heap because a class runs many kernels on one server, and because the collection at
     * each cell's end is quickest so: the young generation is a thirteenth of the heap and not a third, free memory above
     * a twentieth goes back at each full collection, of which there are no more for it, malloc's within ten seconds, and
     * objects have short headers. What that brings per kernel is in docs/hub.md. What the runtime needs beside, calls into CUDA's libraries and the Vector
     * API, the jar's manifest says: options for modules would keep the JVM from taking its modules out of the ahead-of-time
     * cache. That cache is mapped where it was made for: moving it costs every start the reading and writing of all of it.
     * A JVM that does not know one of these starts without.
     */
    static final List<String> JVM_FLAGS = List.of("-XX:+IgnoreUnrecognizedVMOptions", "-XX:+UseSerialGC",
            "-XX:InitialHeapSize=24m", "-XX:NewSize=3m", "-XX:NewRatio=12", "-XX:-ShrinkHeapInSteps",
            "-XX:MinHeapFreeRatio=2", "-XX:MaxHeapFreeRatio=5", "-XX:TrimNativeHeapInterval=10000",
            "-XX:+UseCompactObjectHeaders", "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0");

    /**
     * {@link #JVM_FLAGS} and what those name that is beside the jar. The JVM greets each file of directives with a line on
     * the standard output, which is the terminal of whoever started Jupyter; this is the option that keeps it to itself.
     * Warnings, crash reports and {@code jcmd} do not pass through what it switches off.
     */
    static List<String> jvmFlags(Installation distribution) {
        List<String> flags = new ArrayList<>(JVM_FLAGS);
        if (Files.isRegularFile(distribution.compilerDirectives())) {
            flags.addAll(
                    List.of("-XX:CompilerDirectivesFile=" + distribution.compilerDirectives(), "-XX:-DisplayVMOutput"));
        }
        return flags;
    }

    /** The JVM of a kernel with its flags. */
    static List<String> start(Path java, Installation distribution, Optional<Path> cache) {
        List<String> command = new ArrayList<>();
        command.add(java.toString());
        command.addAll(jvmFlags(distribution));
        cache.ifPresent(file -> command.add("-XX:AOTCache=" + file));
        return command;
    }

    private static final Gson GSON = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();
    private static final String FILE = "kernel.json";
    private static final List<String> LOGOS = List.of("logo-32x32.png", "logo-64x64.png", "logo-svg.svg");

    /**
     * Writes the folder.
     *
     * @param java the java program, named in full: the commonest trouble with kernels in Java is another java on the path
     * @param distribution what to start
     * @param cache the ahead-of-time cache of that distribution, if there is one
     * @param ceilings JVM options that bound what a kernel may take
     * @param audience for whom
     */
    void write(Path java, Installation distribution, Optional<Path> cache, List<String> ceilings, Audience audience)
            throws IOException {
        Folders.create(folder, audience);
        Permissions.set(folder, audience);
        for (String logo : LOGOS) {
            try (InputStream picture = KernelSpec.class.getResourceAsStream(logo)) {
                Writing.atOnce(folder.resolve(logo), picture, audience);
            }
        }
        // last: by it Jupyter knows the kernel
        byte[] json = (GSON.toJson(json(java, distribution, cache, ceilings)) + "\n").getBytes(StandardCharsets.UTF_8);
        Writing.atOnce(folder.resolve(FILE), new ByteArrayInputStream(json), audience);
    }

    /** Whether something that is not ours is known by this name. */
    boolean isSomeoneElses() {
        return Files.exists(folder.resolve(FILE)) && distribution().isEmpty();
    }

    /** Deletes what install put into the folder, and the folder unless something else is in it. */
    void delete() {
        List<String> recorded = written().map(Written::metadata).map(Metadata::vramlab).map(Ours::files)
                .orElseGet(KernelSpec::files);
        Folders.delete(folder, recorded.stream().map(Path::of).toList());
    }

    private static List<String> files() {
        return Stream.concat(Stream.of(FILE), LOGOS.stream()).toList();
    }

    /** What {@code kernel.json} says. */
    static JsonObject json(Path java, Installation distribution, Optional<Path> cache, List<String> ceilings) {
        List<String> argv = start(java, distribution, cache);
        argv.addAll(ceilings);
        argv.addAll(List.of("-jar", distribution.jar().toString(), "kernel", "{connection_file}"));

        JsonObject ours = new JsonObject();
        ours.addProperty("version", Main.Version.text());
        ours.addProperty("distribution", distribution.folder().toString());
        ours.add("files", GSON.toJsonTree(files()));
        JsonObject metadata = new JsonObject();
        metadata.addProperty("debugger", false);
        metadata.add("vramlab", ours);

        JsonObject json = new JsonObject();
        json.add("argv", GSON.toJsonTree(argv));
        json.addProperty("display_name", "VramLab (Java)");
        json.addProperty("language", "java");
        // a signal would end a JVM
        json.addProperty("interrupt_mode", "message");
        json.addProperty("kernel_protocol_version", "5.5");
        json.add("env", new JsonObject());
        json.add("metadata", metadata);
        return json;
    }

    /** The distribution that the kernelspec in this folder starts; empty when there is none or it is not one of ours. */
    Optional<Path> distribution() {
        return written().map(Written::metadata).map(Metadata::vramlab).map(Ours::distribution).map(Path::of);
    }

    /** How Jupyter starts the kernel in this folder; empty when it is not one of ours. */
    List<String> command() {
        return written().filter(one -> one.metadata() != null && one.metadata().vramlab() != null)
                .map(Written::argv).orElse(List.of());
    }

    private Optional<Written> written() {
        Path file = folder.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            return Optional.ofNullable(GSON.fromJson(Files.readString(file), Written.class));
        } catch (JsonSyntaxException someoneElses) {
            return Optional.empty();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The part of a written {@code kernel.json} that tells ours from others, and what it starts. */
    private record Written(List<String> argv, Metadata metadata) {
    }

    private record Metadata(Ours vramlab) {
    }

    private record Ours(String distribution, List<String> files) {
    }
}
