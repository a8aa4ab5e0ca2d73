package io.vramlab.install;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Records scripts with the PyTorch that is at hand; without one its tests are skipped. */
abstract class RecordedScripts {

    @TempDir
    Path folder;
    String python;

    @BeforeEach
    void findPyTorch() throws Exception {
        python = PlanCommandTest.python();
    }

    final Commands.Ran record(String script, String... options) throws Exception {
        Path file = Files.writeString(folder.resolve("train.py"), script.replace("FOLDER", folder.toString()));
        List<String> command = new ArrayList<>(List.of(python, Checkout.file("install/vramlab_trace.py").toString(),
                "-o", folder.resolve("step.trace").toString(), "--device", "H200"));
        command.addAll(List.of(options));
        command.add(file.toString());
        return Commands.run(Map.of(), command);
    }

    static List<String> lines(Path trace) throws Exception {
        try (var in = new GZIPInputStream(Files.newInputStream(trace))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    final String trace() throws Exception {
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(folder.resolve("step.trace")))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
