package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.kernel.LiveNotebook;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fresh kernel whose first cell chooses the GPU and fails on it, with no switch thrown before: then everything answers.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FirstFailureTest {

    /** 700 MiB and 400 MiB on a GPU of 1 GiB. */
    private static final String FAILING = "%device 1GiB\nTensor hog = Tensor.empty(700, 1 << 18);\n"
            + "Tensor batch = Tensor.empty(400, 1 << 18);";

    private static LiveNotebook notebook;
    private static LiveNotebook.Result failure;

    @BeforeAll
    static void theFirstCellFails() throws Exception {
        notebook = new LiveNotebook();
        failure = notebook.run(FAILING);
    }

    @AfterAll
    static void stop() throws Exception {
        notebook.close();
    }

    @Test
    @Order(1)
    void theReportComesUnderTheError() {
        assertNotNull(failure.error());
        assertTrue(failure.last().startsWith("Out of memory on cuda:0 at In [1]:3: 400.00 MiB asked for"),
                failure.plain().toString());
        assertTrue(failure.last().contains("Give up hog"), failure.last());
    }

    @Test
    @Order(2)
    void oomTellsThisFailure() {
        assertTrue(notebook.ok("%oom").last().startsWith("Out of memory on cuda:0 at In [1]:3: 400.00 MiB asked for"));
    }

    @Test
    @Order(3)
    void explainTakesItsMessage() {
        String told = notebook.ok("%explain").last();
        assertTrue(told.startsWith("More is in use than the device has room for"), told);
        // 400 MiB tried, of which at least 398 were needed, 324 MiB free, decimals off: 74 MiB - 3 * 5,243 bytes + 1
        assertTrue(told.contains("at least 73.99 MiB"), told);
        // nothing has to be recorded of what happened here
        assertTrue(told.contains("%oom tells who held the memory"), told);
        assertFalse(told.contains("_record_memory_history"), told);
    }

    @Test
    @Order(4)
    void whatIfSaysThatItRunsOutHereToo() {
        LiveNotebook.Result result = notebook.ok("%what_if");
        assertTrue(result.last().startsWith("What if: it runs out of memory under every one of these"), result.last());
        assertTrue(
                result.last()
                        .contains("Replayed within what cuda:0 has for this session, 1.00 GiB (1,073,741,824 bytes)"),
                result.last());
        String larger = notebook.ok("%what_if --on 2GiB").last();
        assertTrue(larger.startsWith("What if: best with "), larger);
    }

    @Test
    @Order(5)
    void theTimelineHasTheFailure() {
        LiveNotebook.Result timeline = notebook.ok("%memory_timeline");
        assertTrue(timeline.html().get(0).contains("data:image/svg+xml;base64,"), timeline.html().toString());
        assertTrue(timeline.last().contains("Alive at the peak of cuda:0: 700.00 MiB"), timeline.last());
        assertTrue(timeline.last().contains("hog"), timeline.last());
    }

    @Test
    @Order(6)
    void theDiffFromTheStartHasWhatCame() {
        String diff = notebook.ok("%memory_diff start").last();
        assertTrue(diff.startsWith("From start to now: +700.00 MiB"), diff);
        assertTrue(diff.contains("hog"), diff);
        assertTrue(notebook.ok("%memory_diff start 1").last().startsWith("From start to 1: +700.00 MiB"));
    }

    @Test
    @Order(7)
    void aMarkAndTheHoldersAnswer() {
        assertTrue(notebook.ok("%holds hog").last().contains("hog"));
        assertTrue(notebook.ok("%mark here").last().contains("here"));
    }

    @Test
    @Order(8)
    void aSnapshotHasTheEventsThatLedToIt(@TempDir Path folder) {
        String written = notebook.ok("%memory_snapshot " + folder.resolve("first.pickle")).last();
        assertFalse(written.contains("It holds 0 history events"), written);
        String replayed = notebook.ok("%what_if " + folder.resolve("first.pickle")).last();
        assertTrue(replayed.contains("734,003,200") || replayed.contains("1,153,433,600"), replayed);
        notebook.ok("%memory_snapshot --record off");
        String empty = notebook.ok("%memory_snapshot " + folder.resolve("none.pickle")).last();
        assertTrue(empty.contains("It holds 0 history events") && empty.contains("--record on"), empty);
    }

    @Test
    @Order(9)
    void aSecondGpuInOneCellWithItsFailureIsTheLastOne() {
        LiveNotebook.Result second = notebook.run("%device 2GiB\nTensor other = Tensor.empty(3000, 1 << 18);");
        assertTrue(second.last().startsWith("Out of memory on cuda:0 at In ["), second.plain().toString());
        assertTrue(notebook.ok("%oom").last().contains("2.93 GiB asked for"));
    }

    @Test
    @Order(10)
    void callSitesSurviveTrackOff() {
        notebook.ok("%device 1GiB\n%track on");
        notebook.ok("%track off");
        notebook.ok("Tensor later = Tensor.zeros(1024);");
        String track = notebook.ok("%track").last();
        assertTrue(track.lines().anyMatch(l -> l.startsWith("later") && l.contains("In [")), track);
        assertTrue(notebook.ok("%memory_timeline").last().contains("later"));
        assertTrue(notebook.ok("Tensor more = Tensor.zeros(1024);").plain().isEmpty());
    }

    @Test
    @Order(11)
    void trackedLinesOfOtherCellsAreQuoted() {
        notebook.ok("static Tensor made() {\n    return Tensor.zeros(512, 512); // a MiB\n}");
        String table = notebook.ok("%%track\nTensor t = made();").last();
        assertTrue(table.contains("return Tensor.zeros(512, 512); // a MiB"), table);
    }

    @Test
    @Order(20)
    void whatCameLaterInItsPlaceIsNotBlamed() {
        notebook.ok("%device 1GiB");
        notebook.ok("Tensor early = Tensor.empty(600, 1 << 18);");
        assertNotNull(notebook.run("Tensor late = Tensor.empty(900, 1 << 18);").error());
        String at = notebook.ok("%oom").last();
        assertTrue(at.contains("Give up early"), at);
        assertFalse(at.contains("Run it again"), at);
        notebook.ok("%del early");
        notebook.ok("Tensor small = Tensor.empty(10, 1 << 18);");
        String told = notebook.ok("%oom").last();
        assertTrue(told.contains("Run it again: 600.00 MiB were let go of since it failed"), told);
        assertFalse(told.lines().anyMatch(line -> line.startsWith("small ") || line.contains("Give up small")), told);
    }

    @Test
    @Order(19)
    void aSnapshotBeforeAnythingHappenedSaysThatTheHistoryIsOn(@TempDir Path folder) {
        notebook.ok("%memory_snapshot --record on");
        notebook.ok("%device 3GiB");
        String written = notebook.ok("%memory_snapshot " + folder.resolve("none.pickle")).last();
        assertTrue(written.contains("The history is on, and nothing was allocated or freed yet"), written);
        assertFalse(written.contains("--record on"), written);
    }

    @Test
    @Order(21)
    void equalElementsAreOneRowOfTheDiff() {
        notebook.ok(
                "List<Tensor> row = new ArrayList<>();\nfor (int i = 0; i < 8; i++) row.add(Tensor.empty(1 << 18));");
        String diff = notebook.ok("%memory_diff start").last();
        assertTrue(diff.lines().anyMatch(line -> line.startsWith("row[0..7]") && line.contains("8,388,608")), diff);
        assertFalse(diff.contains("row[3]"), diff);
    }

    @Test
    @Order(22)
    void callSitesOfWhatWasTrackedSurviveTrackOff() {
        notebook.ok("%track on");
        notebook.ok("Tensor tracked = Tensor.empty(3, 1 << 18);");
        notebook.ok("%track off");
        String lines = notebook.ok("%memory_diff start --by line").last();
        assertTrue(lines.lines().anyMatch(line -> line.startsWith("In [") && line.contains("3,145,728")), lines);
        assertFalse(lines.contains("before tracking"), lines);
    }
}
