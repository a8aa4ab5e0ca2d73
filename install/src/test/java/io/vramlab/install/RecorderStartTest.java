package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a recording is asked for, and what is said at its end; skipped where no PyTorch is at hand. */
class RecorderStartTest {

    @TempDir
    private Path folder;
    private String python;

    @BeforeEach
    void findPyTorch() throws Exception {
        python = PlanCommandTest.python();
    }

    /** In the folder, as a person there would. */
    private Commands.Ran record(String... words) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("sh", "-c", "cd \"$0\" && exec \"$@\"", folder.toString(), python,
                        Checkout.file("install/vramlab_trace.py").toString()));
        command.addAll(List.of(words));
        return Commands.run(Map.of(), command);
    }

    private void script(String name, String text) throws Exception {
        Files.createDirectories(folder.resolve(name).getParent());
        Files.writeString(folder.resolve(name), text);
    }

    @Test
    void aProgramThatEndsItselfWithAStatusKeepsItAndIsNoAnswer() throws Exception {
        script("ends.py", "import sys, torch\nx = torch.zeros(100, device=\"cuda\")\nsys.exit(3)\n");
        Commands.Ran ran = record("ends.py");
        assertEquals(3, ran.status());
        assertTrue(
                ran.err().contains("the program ended itself with exit status 3; ends.trace holds what came before it"),
                ran.err());
    }

    @Test
    void aProgramThatPutsNothingOnAGpuIsTold() throws Exception {
        script("cpu.py", "import torch\nx = torch.zeros(100)\n");
        Commands.Ran ran = record("cpu.py").ok();
        assertTrue(ran.err().contains("nothing was put on a GPU"), ran.err());
        assertFalse(ran.err().contains(" plan "), ran.err());
    }

    @Test
    void aModuleOfAPackageGivesTheRecordingItsName() throws Exception {
        script("pkg/__init__.py", "");
        script("pkg/sizes.py", "SIZE = 100\n");
        script("pkg/train.py", "from .sizes import SIZE\nimport torch\nx = torch.zeros(SIZE, device=\"cuda\")\n");
        Commands.Ran ran = record("-m", "pkg.train").ok();
        assertTrue(ran.err().contains("train.trace: 1 storage, 400 bytes"), ran.err());
        assertTrue(record("pkg/train.py").err().contains("record it as a module, -m PACKAGE.MODULE"));
    }

    @Test
    void aFolderThatIsNotThereIsToldOfBeforeAnythingRuns() throws Exception {
        script("train.py", "print(\"ran\")\n");
        Commands.Ran ran = record("-o", "nowhere/step.trace", "train.py");
        assertEquals(2, ran.status());
        assertEquals("", ran.out());
        assertTrue(ran.err().contains("there is no folder") && !ran.err().contains("Traceback"), ran.err());
    }

    @Test
    void aGpuIsKnownByTheBeginningOfItsNameWhereThatIsOne() throws Exception {
        script("name.py", "import torch\nprint(torch.cuda.get_device_name())\nx = torch.zeros(1, device=\"cuda\")\n");
        String h100 = record("name.py").ok().out();
        for (String name : List.of("H100", "nvidia h100 80GB")) {
            assertEquals(h100, record("--device", name, "name.py").ok().out());
        }
        assertTrue(record("--device", "A100", "name.py").err().contains("no GPU is called 'A100'"));
    }
}
