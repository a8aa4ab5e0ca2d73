package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wheel's command, on a machine of folders. */
class PackagedCommandTest {

    @TempDir
    private Path machine;

    private final Map<String, String> environment = new HashMap<>();
    private Path packages;

    @BeforeEach
    void layOut() throws IOException {
        packages = Files.createDirectories(machine.resolve("packages/vramlab_kernel")).getParent();
        try (Stream<Path> files = Files.list(Checkout.file("install/python/vramlab_kernel"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, packages.resolve("vramlab_kernel").resolve(file.getFileName()));
            }
        }
        Files.copy(Checkout.file("install/find-jdk"), packages.resolve("vramlab_kernel/find-jdk"));
        Files.writeString(packages.resolve("vramlab_kernel/jvm-flags.txt"), "");
        environment.put("PYTHONPATH", packages.toString());
        environment.put("VRAMLAB_JDK_FOLDERS", Files.createDirectories(machine.resolve("jvm")).toString());
        for (String variable : List.of("VRAMLAB_JAVA_HOME", "JAVA25_HOME", "JAVA_HOME", "XDG_CACHE_HOME")) {
            environment.put(variable, "");
        }
        environment.put("PATH", "/usr/bin:/bin");
    }

    /** A JDK whose java tells what it was called with. */
    private String jdk(String version) throws IOException {
        Path home = machine.resolve("jvm").resolve(version);
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        for (String program : List.of("java", "javac")) {
            assertTrue(Files.writeString(home.resolve("bin").resolve(program), "#!/bin/sh\necho \"PATH=$PATH\"\n")
                    .toFile().setExecutable(true));
        }
        return home.toString();
    }

    private Commands.Ran vramlab(String python, String arguments) throws IOException, InterruptedException {
        return Commands.run(environment,
                List.of(python, "-c", "import sys; from vramlab_kernel.command import main; sys.argv[1:] = '"
                        + arguments + "'.split(); sys.exit(main())"));
    }

    private String python() throws IOException, InterruptedException {
        return Commands.run(Map.of(), List.of("python3", "-c", "import sys; print(sys.executable)")).ok().out().strip();
    }

    @Test
    void anOlderJdkIsNamedWhereNoneFits() throws Exception {
        // no java on the path, as find-jdk takes the first that fits
        Path programs = Files.createDirectories(machine.resolve("bin"));
        for (String program : List.of("sh", "sed", "head", "cat", "readlink")) {
            Files.createSymbolicLink(programs.resolve(program), Path.of("/bin", program));
        }
        environment.put("PATH", programs.toString());
        jdk("17.0.15");
        Commands.Ran ran = vramlab(python(), "doctor");
        assertEquals(1, ran.status());
        assertTrue(ran.err().contains("no JDK 25 or newer was found, only 17.0.15."), ran.err());
        assertTrue(ran.err().contains("vramlab_jdk-*.whl"), ran.err());
    }

    @Test
    void theDoctorLooksAtTheJupyterBesideIt() throws Exception {
        environment.put("VRAMLAB_JAVA_HOME", jdk("25.0.3"));
        Path bin = Files.createDirectories(machine.resolve("venv/bin"));
        Files.writeString(bin.resolve("jupyter"), "").toFile().setExecutable(true);
        String doctor = "import sys; sys.executable = '" + bin.resolve("python")
                + "'; from vramlab_kernel import command, java; java.typed = lambda home, *rest: java.command(home, []); sys.argv[1:] = ['WHAT', 'x']; sys.exit(command.main())";
        for (String command : List.of("doctor", "explain")) {
            Commands.Ran ran = Commands.run(environment, List.of(python(), "-c", doctor.replace("WHAT", command))).ok();
            assertEquals(command.equals("doctor"), ran.out().startsWith("PATH=" + bin + ":"), ran.out());
        }
    }

    /** A file where a folder would be is no folder for root either. */
    @Test
    void aCacheThatCannotBeWrittenIsToldWithoutATrace() throws Exception {
        environment.put("VRAMLAB_JAVA_HOME", jdk("25.0.3"));
        environment.put("XDG_CACHE_HOME", Files.writeString(machine.resolve("file"), "").toString());
        Commands.Ran ran = vramlab(python(), "cache");
        assertEquals(1, ran.status());
        assertTrue(ran.err().startsWith("The start-up cache was to be made"), ran.err());
        assertFalse(ran.err().contains("Traceback"), ran.err());
    }
}
