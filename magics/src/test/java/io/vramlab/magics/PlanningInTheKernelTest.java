package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.vramlab.device.Device;
import io.vramlab.kernel.LiveNotebook;
import io.vramlab.magics.table.Sanitizer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings, snapshots, comparisons and plans, in a real kernel. */
class PlanningInTheKernelTest extends InOneKernel {

    @BeforeEach
    void aFreshGpu() {
        notebook.ok("%track off");
        notebook.ok("LiveTensors.recordSites(true);");
        notebook.ok("%device 1GiB");
    }

    @Test
    void theLargestBatchIsFoundAndIsTheLargest() {
        // one tensor of n MiB: from 10 MiB on a segment of its own, rounded up to 2 MiB
        LiveNotebook.Result fit = notebook.ok("%fit Tensor.zeros(n, 1024, 256) over n in 1..4000");
        assertTrue(fit.last().matches("(?s).*\nThe largest n that fits [^\n]+ is 1,024\n.*"), fit.last());
        assertTrue(fit.last().contains("\n1,024  yes") && fit.last().contains("\n1,025  no"), fit.last());
        assertEquals(List.of(), Sanitizer.removed(fit.html().get(0)));
        String onT4 = notebook.ok("%fit --on T4 Tensor.zeros(n, 1024, 256) over n in 1..100000").last();
        // 15,828,320,256 bytes are 7,547 times 2 MiB and a little
        assertTrue(onT4.contains("The largest n that fits Simulated T4 is 15,094"), onT4);
        assertEquals("0", notebook.ok("Cuda.memoryAllocated()").last());
    }

    @Test
    void codeWithoutAValueCanBeFittedAndMistakesAreTold() {
        notebook.ok(
                "void step(int n) { try (var a = Tensor.zeros(n, 1 << 18); var b = a.add(1)) { b.relu().close(); } }");
        // three tensors of n MiB at once
        String fit = notebook.ok("%fit step(n) over n in 1..2000").last();
        assertTrue(fit.contains("is 341") || fit.contains("is 340"), fit);
        String error = notebook.run("%fit step(n) for n in 1..5").error();
        assertTrue(error.contains("It is written EXPRESSION over NAME in FROM..TO."), error);
        String unknown = notebook.run("%fit nowhere(n) over n in 1..5").error();
        assertTrue(unknown.contains("cannot find symbol"), unknown);
        assertTrue(notebook.ok("%device").last().contains("cuda:0"), "the device is still there");
        assertFalse(notebook.ok("%device").last().contains("cuda:1"), "the planned one is gone");
    }

    @Test
    void whatCannotBePlannedIsToldInThreePartsWithoutAWordOfJavas() {
        String trace = Path.of("../notebooks/mlp_adamw.trace").toAbsolutePath().normalize().toString();
        Map<String, String> mistakes = Map.of("nowhere.trace", "there is no such file", "..", "it is a folder",
                "pom.xml", "it is not a recording of vramlab_trace.py", "--conf bogus:1 " + trace,
                "--conf bogus:1 was given",
                "--conf max_split_size_mb:x " + trace, "A whole number belongs", "--steps x " + trace,
                "It is a whole number", "--steps 0 " + trace, "holds 4 steps, counted from 1", "--on nothing " + trace,
                "neither a size nor a known GPU", "", "%plan");
        mistakes.forEach((words, told) -> {
            String error = notebook.run("%plan " + words).error().replace("UsageException: ", "");
            assertTrue(error.contains(told), words + " told: " + error);
            assertFalse(error.matches("(?s).*(Exception\\b|java\\.|at io\\.).*"), words + " told: " + error);
            assertTrue(error.split("[.;] ").length >= 3, words + " told: " + error);
        });
    }

    @Test
    void settingsAreShownChangedAndRefused() {
        assertTrue(notebook.ok("%alloc_conf").last().contains("Allocator settings of cuda:0"));
        String changed = notebook.ok("%alloc_conf expandable_segments:True").last();
        assertTrue(changed.contains("cuda:0: expandable_segments:True")
                && changed.contains("expandable_segments           true"), changed);
        String error = notebook.run("%alloc_conf nonsense:1").error();
        assertTrue(error.contains("Nothing was changed."), error);
        notebook.ok("%alloc_conf expandable_segments:False");
    }

    @Test
    void settingsAreTheProcessesAndOutlastTheChoiceOfADevice() {
        notebook.ok("%alloc_conf expandable_segments:True");
        String devices = notebook.ok("%device T4").last();
        assertTrue(devices.contains("stay when a device is chosen: expandable_segments:True"), devices);
        String settings = notebook.ok("%alloc_conf").last();
        assertTrue(settings.contains("expandable_segments           true"), settings);
        notebook.ok("Tensor onT4 = Tensor.zeros(1 << 20);");
        assertTrue(notebook.ok("%memory_snapshot").last().contains(" 4,194,304  "), "4 MiB, mapped in steps of 20 MiB");
        notebook.ok("%alloc_conf expandable_segments:False");
        notebook.ok("%del onT4");
        assertFalse(notebook.ok("%device 1GiB").last().contains("Allocator settings"));
    }

    @Test
    void momentsAreCompared() {
        notebook.ok("%track on");
        notebook.ok("Tensor stays = Tensor.zeros(1024); Tensor goes = Tensor.zeros(2048);");
        notebook.ok("%mark before");
        notebook.ok("Tensor comes = Tensor.zeros(4096);\n%del goes");
        String diff = notebook.ok("%memory_diff before").last();
        String diffOfCells = notebook.ok("%memory_diff start now --by kind").last();
        // before: stays 4,096 and goes 8,192; the region "before" is still open, so its end is now
        assertTrue(diffOfCells.contains("new"), diffOfCells);
        assertTrue(diff.contains("In all: 0 bytes"), diff);
        notebook.ok("%mark after");
        notebook.ok("Tensor late = Tensor.zeros(1 << 20);");
        String named = notebook.ok("%memory_diff before now").last();
        assertTrue(named.contains("late      new") && named.contains("4,194,304"), named);
        String marks = notebook.ok("%mark").last();
        assertTrue(marks.contains("before") && marks.contains("16,384"), marks);
        assertTrue(notebook.run("%memory_diff nowhere").error().contains("Known are start, now"));
        notebook.ok("%del stays comes late");
    }

    /**
     * 20 MiB were reserved when 50 MiB were asked for, and 22 MiB later: so 22 MiB were allowed, and 50 are too much. The command says the same
     * (WhatIfCommandTest).
     */
    @Test
    void aFileInWhichMemoryRanOutIsReplayedUnderTheLimitThatItProves(@TempDir Path folder) throws Exception {
        Path failed = Files.writeString(folder.resolve("s.json"),
                """
                        {"segments": [], "device_traces": [[
                          {"action": "segment_alloc", "addr": 2097152, "size": 20971520, "stream": 0},
                          {"action": "alloc", "addr": 2097152, "size": 20971520, "stream": 0},
                          {"action": "oom", "device_free": 80000000000, "size": 52428800, "stream": 0},
                          {"action": "segment_alloc", "addr": 33554432, "size": 2097152, "stream": 0},
                          {"action": "alloc", "addr": 33554432, "size": 1048576, "stream": 0}]]}
                        """);
        String replayed = notebook.ok("%what_if " + failed).last();
        assertTrue(replayed.contains("it runs out of memory under every one of these"), replayed);
        assertTrue(replayed.contains("GPU 0, replayed with at most 22.00 MiB (23,068,672 bytes) reserved")
                && replayed.contains("--limit or --on asks for another limit."), replayed);
        String larger = notebook.ok("%what_if " + failed + " --limit 1GiB").last();
        assertTrue(larger.contains(": best with ") && !larger.contains("GPU 0, replayed with at most"), larger);
    }

    @Test
    void theHistoryIsWrittenReadAndReplayed(@TempDir Path folder) throws Exception {
        assertTrue(notebook.run("%what_if").error().contains("%what_if: The snapshot has no allocation history"));
        notebook.ok("%memory_snapshot --record on");
        notebook.ok("for (int i = 1; i < 9; i++) { Tensor.zeros(i, 1 << 18).close(); }");
        Path file = folder.resolve("s.pickle");
        String written = notebook.ok("%memory_snapshot " + file).last();
        assertTrue(written.contains("Written: ") && Files.size(file) > 500, written);
        String replayed = notebook.ok("%what_if " + file + " --conf expandable_segments:True --limit 512MiB").last();
        assertTrue(replayed.contains("expandable_segments:True"), replayed);
        String own = notebook.ok("%what_if").last();
        assertTrue(own.contains("default") && own.contains(": best with "), own);
        notebook.ok("%memory_snapshot --record off");
        Path other = folder.resolve("t.pickle");
        notebook.ok("Tensor more = Tensor.zeros(1 << 18);");
        notebook.ok("%memory_snapshot " + other);
        assertTrue(notebook.ok("%memory_diff " + file + " " + other).last().contains("1,048,576"));
        assertTrue(notebook.run("%what_if nowhere.pickle").error().contains("There is no such file."));
        assertTrue(
                notebook.run("%memory_snapshot " + folder.resolve("no/such/x.pickle")).error()
                        .contains("There is no folder "));
        notebook.ok("%del more");
    }

    @Test
    void anErrorIsExplainedUnderTheCellThatFailed() {
        notebook.ok("Tensor hog = Tensor.empty(200, 1 << 20);");
        LiveNotebook.Result failed = notebook.run("Tensor x = Tensor.empty(100, 1 << 20);");
        assertTrue(failed.error().contains("CUDA out of memory. Tried to allocate 400.00 MiB."), failed.error());
        assertTrue(failed.last().contains("Give up hog"), failed.last());
        assertTrue(failed.last().contains("%del hog"), failed.last());
        assertEquals(List.of(), Sanitizer.removed(failed.html().get(0)));
        notebook.ok("%del hog");
        notebook.ok("Tensor x = Tensor.empty(100, 1 << 20);");
        notebook.ok("%del x");
    }

    @Test
    void devicesAreListedAndChosen() {
        assumeFalse(Device.realForSimulated(), "a real GPU stands in for the simulated one");
        assertTrue(notebook.ok("%device --profiles").last().contains("H100-80GB"));
        String chosen = notebook.ok("%device T4").last();
        assertTrue(chosen.contains("Simulated T4"), chosen);
        assertTrue(notebook.ok("%gpu").last().contains("15,828,320,256"));
        assertTrue(notebook.run("%device NoSuchGpu").error().contains("NoSuchGpu"));
        notebook.ok("%device reset");
    }
}
