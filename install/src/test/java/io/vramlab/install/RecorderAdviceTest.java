package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a person is told whose program ended with an error while it was recorded; skipped where no PyTorch is at hand. */
class RecorderAdviceTest extends RecordedScripts {

    private String told(String script, String... options) throws Exception {
        Commands.Ran ran = record(script, options);
        assertFalse(ran.status() == 0, ran.err());
        return ran.err();
    }

    @Test
    @Tag("landing")
    void kernelsThatAreNotPyTorchsAreNotAskedForFromPip() throws Exception {
        String told = told(
                "import torch\nraise ModuleNotFoundError(\"No module named 'flash_attn'\", name='flash_attn')\n");
        assertTrue(told.contains("scaled_dot_product_attention") && !told.contains("pip install"), told);
    }

    @Test
    void aPackageThatIsMissingIsNamedWithThePythonThatLacksIt() throws Exception {
        String told = told("import torch\nimport vramlab_no_such.sub\n");
        assertTrue(told.contains(python) && told.contains("of what brings vramlab_no_such,"), told);
        String logger = told("import torch\nraise ModuleNotFoundError(\"No module named 'wandb'\", name='wandb')\n");
        assertTrue(logger.contains("WANDB_MODE=disabled"), logger);
    }

    @Test
    void aFileBesideTheScriptThatWasLookedForElsewhereIsTold() throws Exception {
        Files.writeString(folder.resolve("sizes.json"), "{}");
        String told = told("import torch\nopen('sizes.json')\n");
        assertTrue(told.contains("sizes.json lies beside the script"), told);
    }

    @Test
    void aCheckpointThatIsMissingIsNotNeeded() throws Exception {
        String told = told("import torch\ntorch.load('/no/such/best.pt')\n");
        assertTrue(told.contains("/no/such/best.pt is not here. What a checkpoint's weights are has no say"), told);
    }

    @Test
    void aProgramOfTorchrunsIsToldWhatToSet() throws Exception {
        String told = told(
                "import os, torch\nos.environ.pop('LOCAL_RANK', None)\nrank = int(os.environ['LOCAL_RANK'])\n");
        assertTrue(told.contains("RANK=0 LOCAL_RANK=0 WORLD_SIZE=8"), told);
    }

    @Test
    void argumentsThatAreMissingFollowTheScript() throws Exception {
        Commands.Ran ran = record(
                "import argparse\np = argparse.ArgumentParser()\np.add_argument('--data', required=True)\np.parse_args()\n");
        assertEquals(2, ran.status());
        assertTrue(ran.err().contains("What follows the script is given to it"), ran.err());
    }

    /** On Linux, where /dev/full is a disk without room. */
    @Test
    void aFullDiskIsTheRecordingsTroubleAndNotThePrograms() throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/full")), "there is no /dev/full");
        String told = told("import torch\ntorch.ones(3, device='cuda')\n", "-o", "/dev/full");
        assertTrue(told.contains("the recording /dev/full was to be written; that failed: No space left on device"),
                told);
        assertFalse(told.contains("the program ended") || told.contains("Traceback"), told);
    }
}
