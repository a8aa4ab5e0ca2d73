package io.vramlab.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Saved notebooks are run again in a fresh kernel of the packaged command, without any Jupyter. */
class VerifyIT {

    private static final String NOTEBOOK = """
            {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [
              {"cell_type": "code", "metadata": {}, "source": "int x = 20;\\nx + 1", "outputs": [
                {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": {"text/plain": "%s"}}]},
              {"cell_type": "code", "metadata": {}, "source": "System.out.println(x);", "outputs": [
                {"output_type": "stream", "name": "stdout", "text": "20\\n"}]},
              {"cell_type": "code", "metadata": {"tags": ["raises-exception"]}, "source": "%s", "outputs": [
                {"output_type": "error", "ename": "java.lang.ArithmeticException", "evalue": "/ by zero", "traceback": [
                  "java.lang.ArithmeticException: / by zero", "    at In [3], line 1", "        1 | x / 0"]}]}]}
            """;

    @TempDir
    private Path folder;

    private Commands.Ran verify(String recorded, String lastCell) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("saved.ipynb"), NOTEBOOK.formatted(recorded, lastCell));
        return Installed.vramlab("verify", file.toString());
    }

    @Test
    void aNotebookThatStillShowsWhatItShowedPasses() throws Exception {
        Commands.Ran ran = verify("21", "x / 0");
        assertEquals(Main.OK, ran.status(), ran::toString);
        assertTrue(ran.out().endsWith("saved.ipynb: 3 cells, as recorded\n"), ran::out);
    }

    @Test
    void anEditedOutputIsFoundWithBothTexts() throws Exception {
        Commands.Ran ran = verify("22", "x / 0");
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        assertTrue(ran.out().contains("cell 1: another text") && ran.out().contains("recorded: 22")
                && ran.out().contains("now:      21"), ran::out);
    }

    @Test
    void comparedWithARunOnTheSimulatedGpuWhatIsRecordedDoesNotCount() throws Exception {
        Path file = Files.writeString(folder.resolve("saved.ipynb"), NOTEBOOK.formatted("22", "x / 0"));
        Commands.Ran ran = Installed.vramlab("verify", "--both", "--device", "sim:1GiB", file.toString());
        assertEquals(Main.OK, ran.status(), ran::toString);
    }

    @Test
    void withoutARealGpuAskingForOneIsRefusedInThreeSentences() throws Exception {
        assumeFalse(Files.exists(Path.of("/dev/nvidiactl")), "this machine has a GPU");
        Path file = Files.writeString(folder.resolve("saved.ipynb"), NOTEBOOK.formatted("21", "x / 0"));
        Commands.Ran ran = Installed.vramlab("verify", "--device", "cuda", file.toString());
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        assertTrue(ran.err().contains("The notebooks were to run on a real GPU."), ran::toString);
    }

    @Test
    void aFailureThatNoLongerOccursIsRecognised() throws Exception {
        Commands.Ran ran = verify("21", "x / 2");
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        assertTrue(ran.out().contains("cell 3: the recorded failure no longer occurs"), ran::out);
    }

    @Test
    void aFileThatIsNoNotebookIsToldAndTheOthersAreStillVerified() throws Exception {
        Path none = Files.writeString(folder.resolve("none.ipynb"), "{}");
        Path good = Files.writeString(folder.resolve("good.ipynb"), NOTEBOOK.formatted("21", "x / 0"));
        Commands.Ran ran = Installed.vramlab("verify", none.toString(), good.toString());
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        assertTrue(ran.out().contains("is no notebook") && ran.out().contains("good.ipynb: 3 cells, as recorded"),
                ran::out);
        assertTrue(ran.out().endsWith("2 notebooks: 1 as recorded, 1 not: " + none + "\n"), ran::out);
    }

    @Test
    void recordingMakesAFileGrowByWhatGrowthSays() throws Exception {
        Path report = report("leak");
        List<String> row = Installed.vramlab("growth", report.toString()).ok().out().lines().skip(2).findFirst()
                .map(line -> List.of(line.strip().split("  +"))).orElseThrow();
        // the stored file holds its history, and the same program records the same bytes
        assertEquals(String.format(Locale.ROOT, "%,d", Files.size(report)), row.get(4));
        assertEquals(List.of(report.toString(), "5", "1,406"), row.subList(0, 3));
    }

    private Path report(String name) {
        return Checkout.file("notebooks/reports/" + name + ".ipynb");
    }

    /** A report with one part of its text replaced. */
    private Commands.Ran altered(String before, String after) throws IOException, InterruptedException {
        String whole = Files.readString(report("leak"));
        String edited = whole.replace(before, after);
        assertNotEquals(whole, edited);
        return Installed.vramlab("verify", Files.writeString(folder.resolve("altered.ipynb"), edited).toString());
    }

    @Test
    void aCellThatWasChangedIsFoundByWhatItShowsAndByItsHistory() throws Exception {
        Commands.Ran ran = altered("step < 60; step++) {", "step < 61; step++) {");
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        // the last loop does one step more
        assertTrue(ran.out().contains("cell 5: another text") && ran.out().contains("60 steps")
                && ran.out().contains("61 steps"), ran::out);
    }

    @Test
    void aCellThatDoesTheSameInAnotherWayIsFoundByItsHistory() throws Exception {
        // the same number of events, other sizes
        Commands.Ran ran = altered("numbers.add((double) lossOf(Tensor.randn(512, 1024)).item());",
                "numbers.add((double) lossOf(Tensor.randn(511, 1024)).item());");
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        assertTrue(ran.out().contains("another history was recorded: the requests differ"), ran::out);
    }

    @Test
    @Tag("long")
    void aCellThatComputesSomethingElseInTheSameMemoryPasses() throws Exception {
        Commands.Ran ran = altered("numbers.add((double) lossOf(Tensor.randn(512, 1024)).item());",
                "numbers.add((double) lossOf(Tensor.rand(512, 1024)).item());");
        assertEquals(Main.OK, ran.status(), ran::toString);
    }

    @Test
    void aFigureEditedInTheTableThatReadersSeeIsFound() throws Exception {
        Commands.Ran ran = altered(">127,926,272<", ">127,926,273<");
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        assertTrue(ran.out().contains("another table") && ran.out().contains("127,926,273"), ran::out);
    }

    @Test
    void aHistoryThatWasAlteredIsRefusedBeforeAnythingRuns() throws Exception {
        Commands.Ran ran = altered("\\\"happened\\\":574", "\\\"happened\\\":575");
        assertEquals(Main.FAILED, ran.status(), ran::toString);
        assertTrue(ran.out().contains("0 cells") && ran.out().contains("its checksum does not fit"), ran::out);
    }

    @Test
    void whatReplaySaysOfOtherSettingsAndALargerDeviceIsWhatHappensThere() throws Exception {
        Path report = report("fragmentation");
        String replayed = Installed.vramlab("replay", report.toString(), "--conf", "", "--conf",
                "expandable_segments:True").ok().out();
        assertTrue(replayed.contains("  default: ") && replayed.contains("memory runs out in In [4]"), replayed);
        assertTrue(replayed.lines().anyMatch(line -> line.startsWith("  expandable_segments:True: ")
                && line.contains("(3,972,005,888 bytes), allocated ") && line.endsWith("memory does not run out")),
                replayed);
        // the notebook's own last cell runs it under that setting: the same peak, to the byte
        assertTrue(Files.readString(report).contains("3,856,069,120 allocated, 3,972,005,888 reserved"));
        // expandable segments from the start: the failure is gone
        Commands.Ran expandable = Installed.vramlab(Map.of("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"),
                "verify", report.toString());
        assertTrue(expandable.out().contains("cell 4: the recorded failure no longer occurs"), expandable::out);

        String larger = Installed.vramlab("replay", report.toString(), "--conf", "", "--device", "H100-80GB").ok()
                .out();
        assertTrue(larger.contains("memory does not run out") && !larger.contains("memory runs out"), larger);
        // the limit is the notebook's own; without it, and on that device, it goes through
        snapshotBeside();
        Path unlimited = Files.writeString(folder.resolve("unlimited.ipynb"),
                Files.readString(report).replace("%memory_fraction 3916MiB", "%memory_fraction 1"));
        Commands.Ran there = Installed.vramlab("verify", "--device", "H100-80GB", unlimited.toString());
        assertTrue(there.out().contains("cell 4: the recorded failure no longer occurs"), there::out);
    }

    @Test
    @Tag("long")
    void aLeakRunsOutUnderAnySettingsAndOnALargerDeviceLaterAsReplaySays() throws Exception {
        Path report = report("leak");
        String replayed = Installed.vramlab("replay", report.toString(), "--conf", "", "--conf",
                "expandable_segments:True").ok().out();
        assertEquals(2, replayed.lines().filter(line -> line.contains("memory runs out in In [2], asking for 2.00 MiB"))
                .count(), replayed);
        Commands.Ran expandable = Installed.vramlab(Map.of("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"),
                "verify", report.toString());
        // the settings differ and the advice may; the failure is there
        assertTrue(expandable.out().contains("cell 2: other allocator settings were recorded"), expandable::out);
        assertFalse(expandable.out().contains("no longer occurs"), expandable::out);

        String larger = Installed.vramlab("replay", report.toString(), "--conf", "", "--device", "H100-80GB").ok()
                .out();
        assertTrue(larger.contains("memory does not run out") && !larger.contains("memory runs out"), larger);
        Path unlimited = Files.writeString(folder.resolve("unlimited.ipynb"),
                Files.readString(report).replace("%memory_fraction 128MiB", "%memory_fraction 1"));
        Commands.Ran there = Installed.vramlab("verify", "--device", "H100-80GB", unlimited.toString());
        assertTrue(there.out().contains("cell 2: the recorded failure no longer occurs"), there::out);
    }

    @Test
    @Tag("long")
    void whatFailedForAnotherReasonThanMemoryFailsUnderOtherSettingsTooAsReplaySays() throws Exception {
        Path report = report("mixed-precision");
        String replayed = Installed.vramlab("replay", report.toString()).ok().out();
        assertFalse(replayed.contains("memory runs out"), replayed);
        Commands.Ran expandable = Installed.vramlab(Map.of("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"),
                "verify", report.toString());
        assertTrue(expandable.out().contains("cell 2: other allocator settings were recorded"), expandable::out);
        assertFalse(expandable.out().contains("no longer occurs") || expandable.out().contains("another error"),
                expandable::out);
    }

    /** Recorded on an H200. */
    @Test
    void aReportRecordedOnARealGpuVerifiesOnASimulatedOne() throws Exception {
        Path report = folder.resolve("fragmentation-h200.ipynb");
        snapshotBeside();
        Files.copy(Path.of(getClass().getResource("/gpu/fragmentation-h200.ipynb").toURI()), report);
        Commands.Ran ran = Installed.vramlab("verify", report.toString()).ok();
        assertTrue(ran.out().endsWith("fragmentation-h200.ipynb: 6 cells, as recorded\n"), ran::out);
    }

    /**
     * Recorded on an H200, as that GPU of 139.80 GiB, once also with it standing in for one of 8 GiB. What is told of the
     * whole device, of other processes on it and of the driver's own memory is not the simulated GPU's.
     */
    @Test
    @Tag("long")
    void reportsRecordedOnARealGpuVerifyOnASimulatedOne() throws Exception {
        snapshotBeside();
        List<String> arguments = new ArrayList<>(List.of("verify"));
        for (String name : List.of("leak-h200", "fragmentation-h200", "mixed-precision-h200", "leak-h200-as-8gib")) {
            Path report = folder.resolve(name + ".ipynb");
            Files.copy(Path.of(getClass().getResource("/gpu/" + name + ".ipynb").toURI()), report);
            assertTrue(Installed.vramlab("replay", report.toString()).ok().out().contains("kind=CUDA"));
            arguments.add(report.toString());
        }
        Commands.Ran ran = Installed.vramlab(arguments.toArray(String[]::new));
        assertEquals(Main.OK, ran.status(), ran::toString);
        assertTrue(ran.out().endsWith("4 notebooks: all as recorded\n"), ran::out);
        assertEquals(5 + 6 + 3 + 5, ran.out().lines().filter(line -> line.endsWith(", as recorded"))
                .mapToInt(line -> Integer.parseInt(line.replaceFirst(".*: (\\d+) cells, as recorded", "$1"))).sum());
    }

    /** What the report on fragmentation reads. */
    private void snapshotBeside() throws IOException {
        Files.createDirectories(folder.resolve("data"));
        Files.copy(Checkout.file("notebooks/reports/data/gpt2_default_nolimit.pickle.gz"),
                folder.resolve("data/gpt2_default_nolimit.pickle.gz"));
    }

    @Test
    @Tag("long")
    void aReportVerifiesOnALargerDevice() throws Exception {
        Installed.vramlab("verify", "--device", "H100-80GB", report("leak").toString(),
                report("mixed-precision").toString()).ok();
    }
}
