package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;

/**
 * The installed kernel through Jupyter's own client: the first cell chooses the GPU and fails on it, and then all answers, without
 * a switch thrown before.
 */
@Tag("long")
class FirstFailureIT {

    @TempDir
    private Path folder;

    @Test
    void afterAFirstFailureInTheCellThatSetTheDeviceEverythingAnswers() throws Exception {
        String name = "vramlab-first-failure";
        Commands.vramlab("install", "--no-aot", "--name", name, "--prefix", folder.toString()).ok();
        List<String> cells = List.of("%device 1GiB\nTensor hog = Tensor.empty(700, 1 << 18);\n"
                + "Tensor batch = Tensor.empty(400, 1 << 18);", "%oom", "%what_if", "%memory_timeline",
                "%memory_diff start");
        String json = Commands.run(Map.of("JUPYTER_PATH", folder.resolve("share/jupyter").toString()),
                List.of(Commands.jupyterPython(), Checkout.file("install/src/test/python/run_cells.py").toString(),
                        name,
                        new Gson().toJson(cells)))
                .ok().out();
        List<String> told = new ArrayList<>();
        for (JsonElement cell : JsonParser.parseString(json).getAsJsonArray()) {
            told.add(cell.getAsString());
        }
        // 700 MiB are there and 400 MiB asked for, of 1 GiB
        assertTrue(told.get(0).contains("CUDA out of memory. Tried to allocate 400.00 MiB."), told.get(0));
        assertTrue(told.get(0).contains("Out of memory on cuda:0 at In [1]:3: 400.00 MiB asked for"), told.get(0));
        assertTrue(told.get(1).startsWith("Out of memory on cuda:0 at In [1]:3: 400.00 MiB asked for"), told.get(1));
        assertTrue(told.get(2).contains("What if: it runs out of memory under every one of these"), told.get(2));
        assertTrue(told.get(3).contains("Alive at the peak of cuda:0: 700.00 MiB"), told.get(3));
        assertTrue(told.get(4).startsWith("From start to now: +700.00 MiB"), told.get(4));
    }
}
