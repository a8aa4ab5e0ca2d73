package io.vramlab.magics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.Cell;
import io.vramlab.kernel.spi.Outcome;
import io.vramlab.magics.bug.HistoryRecorder;
import io.vramlab.magics.live.LiveSet;
import io.vramlab.magics.oom.OomWatch;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.memory.Cuda;
import io.vramlab.memory.OutOfMemoryException;
import io.vramlab.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

class AfterCellTest extends OnAFreshGpu {

    private final AfterCell listener = new AfterCell();

    private ReportTable cell(int number, Runnable body) {
        Cell cell = new Cell(number, "");
        session.cell(number);
        int before = session.displayed().size();
        listener.cellStarted(cell, session);
        body.run();
        listener.cellFinished(cell, new Outcome(null, null, 1), session);
        return session.displayed().size() == before ? null : (ReportTable) session.displayed().get(before);
    }

    private static long value(ReportTable report, String column) {
        return report.longColumn(column).getLong(0);
    }

    @Test
    void aCellIsReportedOnWithWhatItAllocatedFreedAndPeakedAt() throws Exception {
        run("track", "on");
        ReportTable report = cell(2, () -> {
            Tensor.zeros(1024, 1024).close();
            session.put("kept", "Tensor", Tensor.zeros(512, 1024));
        });
        assertEquals(6 * MIB, value(report, "allocated bytes"));
        assertEquals(4 * MIB, value(report, "freed bytes"));
        assertEquals(4 * MIB, value(report, "peak bytes"));
        assertEquals(2 * MIB, value(report, "net bytes"));
        // both fit into the one segment of 20 MiB that the first asked for
        assertEquals(20 * MIB, value(report, "from device bytes"));
        assertEquals(0, value(report, "collected bytes"));
    }

    @Test
    void whatIsLeftBehindStandsByItsSum() throws Exception {
        run("track", "on");
        ReportTable report = cell(2, () -> session.put("one", "Tensor", Tensor.zeros(1024)).put("many", "List<Tensor>",
                List.of(Tensor.zeros(512), Tensor.zeros(512), Tensor.zeros(512))));
        assertEquals(List.of("many[0..2]", "one"),
                report.sections().getFirst().stringColumn("left behind").asList());
    }

    @Test
    void aGpuThatNobodyHasAskedForMemoryYetIsFollowedFromTheCellOn() throws Exception {
        listener.sessionStarted(session);
        try {
            Device.select("sim:2GiB");
            // its allocator is made while the cell begins, and tells the watchers in the midst of that
            cell(2, () -> assertThrows(OutOfMemoryException.class, () -> Tensor.zeros(1L << 30)));
            assertEquals(2, OomWatch.of(session).last().orElseThrow().cell());
        } finally {
            listener.sessionEnded(session);
        }
    }

    @Test
    void aSessionThatHasEndedKeepsNoFailure() {
        listener.sessionStarted(session);
        cell(2, () -> assertThrows(OutOfMemoryException.class, () -> Tensor.zeros(1L << 30)));
        assertTrue(OomWatch.of(session).last().isPresent());
        listener.sessionEnded(session);
        assertTrue(OomWatch.of(session).last().isEmpty());
    }

    @Test
    void whatTheCollectorFreedStandsApart() throws Exception {
        run("track", "on");
        ReportTable report = cell(3, () -> {
            for (int i = 0; i < 5; i++) {
                Tensor.zeros(256, 1024);
            }
        });
        assertEquals(5 * MIB, value(report, "allocated bytes"));
        assertEquals(5 * MIB, value(report, "freed bytes") + value(report, "collected bytes"));
        assertTrue(value(report, "collected bytes") > 0);
        assertEquals(0, value(report, "now bytes"));
        assertTrue(report.notes().toString().contains("The collector freed"), report.notes().toString());
    }

    @Test
    void aCellThatDoesNothingToTheMemoryIsNotReportedOn() throws Exception {
        run("track", "on");
        assertEquals(null, cell(4, () -> {
        }));
        run("track", "off");
        assertEquals(null, cell(5, () -> Tensor.zeros(1).close()));
    }

    @Test
    void whatIsDroppedGoesWhenNobodyWaitsAtTheLatestBeforeTheNextCell() {
        Tensor kept = Tensor.zeros(1);
        for (boolean quiet : new boolean[]{true, false}) {
            cell(6, () -> Tensor.zeros(1024, 1024));
            if (quiet) {
                listener.quiet(session);
            } else {
                listener.cellStarted(new Cell(7, ""), session);
            }
            // the 4 MiB are gone, one block of 512 B is left
            assertEquals(512, Cuda.memoryAllocated());
        }
        kept.close();
    }

    @Test
    void theOpenTensorsThatVariablesLeadToAreCounted() {
        Tensor kept = Tensor.zeros(1);
        session.put("kept", "List<Tensor>", List.of(kept, kept.view(1, 1)));
        assertEquals(2, LiveSet.reached(session, 100));
        session.put("kept", "Tensor", kept);
        assertEquals(1, LiveSet.reached(session, 100));
        kept.close();
        assertEquals(0, LiveSet.reached(session, 100));
    }

    @Test
    void whileABugReportIsRecordedWhatIsDroppedGoesWithItsCell() {
        HistoryRecorder.of(session).start();
        Tensor kept = Tensor.zeros(1);
        cell(6, () -> Tensor.zeros(1024, 1024));
        assertEquals(512, Cuda.memoryAllocated());
        HistoryRecorder.of(session).stop();
        kept.close();
    }
}
