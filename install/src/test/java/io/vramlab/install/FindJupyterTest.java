package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What install/find-jupyter does where there is none, on a machine of folders. */
class FindJupyterTest {

    @TempDir
    private Path machine;

    private void program(String name, String text) throws IOException {
        assertTrue(Files.writeString(machine.resolve("bin").resolve(name), "#!/bin/sh\n" + text + "\n").toFile()
                .setExecutable(true));
    }

    @Test
    void withoutAPythonDebiansPackagesAreTriedByRoot() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no bash");
        Files.createDirectories(machine.resolve("bin"));
        Path script = Files.copy(Checkout.file("install/find-jupyter"),
                Files.createDirectories(machine.resolve("checkout/install")).resolve("find-jupyter"));
        for (String name : List.of("readlink", "dirname", "mkdir", "grep", "tail", "cat")) {
            program(name, "PATH=/usr/bin:/bin exec " + name + " \"$@\"");
        }
        program("id", "echo 0");
        program("apt-get", "echo \"$@\" >> " + machine.resolve("asked"));
        Commands.Ran ran = Commands.run(Map.of("PATH", machine.resolve("bin").toString(), "VRAMLAB_PYTHON", "",
                "VIRTUAL_ENV", "", "CONDA_PREFIX", ""), List.of("/bin/bash", script.toString(), "open"));
        assumeTrue(ran.status() != 0, "the system's python has a Jupyter");
        assertTrue(Files.exists(machine.resolve("asked")), ran.err());
        assertTrue(Files.readString(machine.resolve("asked")).contains("jupyter-notebook"), ran.err());
        assertFalse(ran.err().contains("No such file or directory"), ran.err());
    }
}
