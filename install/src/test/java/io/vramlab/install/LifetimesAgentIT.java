package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs outside of notebooks count as cells do, with the runtime's jar as an agent. */
class LifetimesAgentIT {

    private static final String NAME = "steps.Steps";
    /** Ten times two new tensors of 256 x 256 float32, 262,144 bytes each; prints the peak and what is left. */
    private static final String STEPS = """
            package steps;

            import io.vramlab.memory.Cuda;
            import io.vramlab.tensor.Tensor;

            public class Steps {
                public static void main(String[] arguments) {
                    Tensor x = Tensor.ones(256, 256);
                    for (int step = 0; step < 10; step++) {
                        x = x.add(1).mul(2);
                    }
                    System.out.println(Cuda.maxMemoryAllocated() + " " + Cuda.memoryAllocated());
                    large(x);
                }

                static void large(Tensor x) {
                    %s
                }
            }
            """;
    /** x, x + 1 and their product; then x alone. */
    private static final String COUNTED = 3 * 262_144 + " " + 262_144;
    /** The first, and twenty that nobody closed. */
    private static final String KEPT = 21 * 262_144 + " " + 21 * 262_144;

    @TempDir
    private Path folder;

    private Path classes(String large) throws IOException {
        Path source = Files.writeString(folder.resolve("Steps.java"), STEPS.formatted(large));
        Path classes = Files.createDirectories(folder.resolve("classes"));
        int compiled = ToolProvider.getSystemJavaCompiler().run(null, null, null, "-cp", jars(), "-d",
                classes.toString(), source.toString());
        assertEquals(0, compiled);
        return classes;
    }

    private static Path library() {
        return Path.of(System.getProperty("vramlab.jar")).resolveSibling("lib");
    }

    private static String jars() throws IOException {
        try (Stream<Path> files = Files.list(library())) {
            return files.map(Path::toString).filter(each -> each.endsWith(".jar"))
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    private static Path agent() throws IOException {
        try (Stream<Path> files = Files.list(library())) {
            return files.filter(each -> each.getFileName().toString().matches("vramlab-lifetime-[\\d.]+\\.jar"))
                    .findFirst().orElseThrow();
        }
    }

    private static Commands.Ran java(String agent, Path program) throws Exception {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED", "--add-modules=jdk.incubator.vector"));
        if (!agent.isEmpty()) {
            command.add("-javaagent:" + agent);
        }
        command.addAll(List.of("-cp", program + File.pathSeparator + jars(), NAME));
        return Commands.run(Map.of("VRAMLAB_DEVICE", "sim:1GiB"), command).ok();
    }

    @Test
    void aProgramsTensorsGoWhenPythonsWouldWithTheAgentAndWithTheCollectorWithoutIt() throws Exception {
        Path classes = classes("");

        assertEquals(COUNTED, java(agent().toString(), classes).out().strip());
        assertEquals(KEPT, java("", classes).out().strip());
    }

    @Test
    void classesInAJarCountWhenTheirPackageIsNamed() throws Exception {
        Path jar = folder.resolve("program.jar");
        try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar))) {
            to.putNextEntry(new ZipEntry("steps/Steps.class"));
            to.write(Files.readAllBytes(classes("").resolve("steps/Steps.class")));
        }

        assertEquals(COUNTED, java(agent() + "=org.other,steps", jar).out().strip());
        assertEquals(KEPT, java(agent() + "=org.other", jar).out().strip());
        assertEquals(KEPT, java(agent().toString(), jar).out().strip());
    }

    @Test
    void aClassThatCannotCountIsNamedAndNothingIsCounted() throws Exception {
        Commands.Ran ran = java(agent().toString(), classes("x = x.add(1);\n".repeat(3_000)));

        assertEquals(KEPT, ran.out().strip());
        assertTrue(ran.err().contains("The class steps.Steps was to count its tensors. It cannot: "), ran.err());
        assertTrue(ran.err().contains("From here on tensors live as in Java."), ran.err());
    }
}
