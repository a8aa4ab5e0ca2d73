package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Others on the machine: what they can see of a kernel, and what happens when they have filled {@code /tmp}. */
class SharedMachineIT {

    private static final String CELL = """
            {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
              {"cell_type": "code", "metadata": {}, "outputs": [], "source": "%s"}]}
            """;
    private static final int PATIENCE_SECONDS = 120;
    private static final String NOBODY = "65534";

    @TempDir
    private Path folder;

    private static String program(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    private static Commands.Ran asNobody(List<String> command) throws IOException, InterruptedException {
        return Commands.run(Map.of(), Stream.concat(Stream.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY,
                "--clear-groups"), command.stream()).toList());
    }

    @Test
    void anotherUserReadsNothingOfASessionAndCannotAttachToIt() throws Exception {
        Path tmp = Files.createDirectory(folder.resolve("tmp"));
        for (Path open : List.of(folder, tmp)) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Path open = Files.writeString(tmp.resolve("open.txt"), "for all");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        assumeTrue(asNobody(List.of("cat", open.toString())).status() == 0, "no other user can be had here");
        Path notebook = Files.writeString(folder.resolve("endless.ipynb"), CELL.formatted(
                "java.nio.file.Files.writeString(Path.of(\\\"begun\\\"), \\\"x\\\");\\nwhile (true) { }"));
        Process command = new ProcessBuilder(program("java"), "-Djava.io.tmpdir=" + tmp, "-jar",
                Installed.jar().toString(), "verify", notebook.toString()).redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile()).start();
        List<ProcessHandle> kernels = new ArrayList<>();
        List<Path> seen = new ArrayList<>();
        try {
            for (int i = 0; i < PATIENCE_SECONDS * 10 && !Files.exists(folder.resolve("begun")); i++) {
                try (Stream<Path> files = Files.list(tmp)) {
                    // the file with the key is there for a moment
                    for (Path each : files.filter(file -> !file.equals(open) && !seen.contains(file)).toList()) {
                        seen.add(each);
                        assertNotEquals(0, asNobody(List.of("cat", each.toString())).status(), each::toString);
                    }
                }
                Thread.sleep(20);
            }
            assertTrue(Files.exists(folder.resolve("begun")), "the cell did not begin");
            assertFalse(seen.isEmpty(), "the kernel's connection file was never there");
            command.descendants().forEach(kernels::add);
            for (ProcessHandle kernel : kernels) {
                String pid = Long.toString(kernel.pid());
                assertNotEquals(0, asNobody(List.of(program("jcmd"), pid, "VM.version")).status());
                assertNotEquals(0, asNobody(List.of("cat", "/proc/" + pid + "/environ")).status());
                assertNotEquals(0, asNobody(List.of("kill", pid)).status());
            }
            assertEquals(1, kernels.stream().filter(ProcessHandle::isAlive).count());
        } finally {
            kernels.forEach(ProcessHandle::destroyForcibly);
            command.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify", "growth"})
    void withAFullTmpACommandSaysSoAndLeavesNothing(String command) throws Exception {
        Path small = Files.createDirectory(folder.resolve("small"));
        // a page is left for the name of a file, and none for what is in it
        String full = "mount -t tmpfs -o size=64k none '" + small + "' && head -c 65536 /dev/zero 2> /dev/null > '"
                + small
                + "/filled'; test -s '" + small + "/filled'";
        assumeTrue(Commands.run(Map.of(), List.of("unshare", "--mount", "sh", "-c", full)).status() == 0,
                "a small file system cannot be mounted here");
        Path notebook = Files.writeString(folder.resolve("one.ipynb"), CELL.formatted("1 + 1"));
        Commands.Ran ran = Commands.run(Map.of(), List.of("unshare", "--mount", "sh", "-c",
                full + " && { \"$@\"; status=$?; ls '" + small + "' >&2; exit $status; }", "sh", program("java"),
                "-Djava.io.tmpdir=" + small, "-jar", System.getProperty("vramlab.jar"), command, notebook.toString()));
        assertEquals(Main.FAILED, ran.status(), ran::err);
        List<String> said = ran.err().lines().toList();
        assertEquals(4, said.size(), ran::err);
        assertTrue(said.get(1).contains("No space left on device"), ran::err);
        assertTrue(said.get(2).contains(small.toString()), ran::err);
        assertEquals("filled", said.get(3), "a file is left");
    }
}
