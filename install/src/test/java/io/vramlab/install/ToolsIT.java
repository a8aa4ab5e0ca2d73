package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/tools.md says of other people's tools. */
@Tag("long")
class ToolsIT {

    @Test
    void theToolsDoWhatThePageSays(@TempDir Path folder) throws IOException, InterruptedException {
        Optional<String> python = Commands.toolsPython();
        assumeTrue(python.isPresent(), "the tools cannot be had");
        Commands.vramlab("install", "--no-aot", "--prefix", folder.resolve("there").toString()).ok();
        Commands.Ran ran = Commands.run(
                Map.of("JUPYTER_PATH", folder.resolve("there/share/jupyter").toString(), "VRAMLAB_HISTORY", "off"),
                List.of(python.get(), Checkout.file("install/src/test/python/tools.py").toString(),
                        Checkout.file("notebooks/course/3-fragmentation-and-settings.ipynb").toString(),
                        folder.resolve("work").toString(), "--run"));
        assertEquals(0, ran.status(), ran::toString);
    }
}
