package io.vramlab.magics;

import io.vramlab.kernel.spi.Cell;
import io.vramlab.kernel.spi.CellListener;
import io.vramlab.kernel.spi.Outcome;
import io.vramlab.kernel.spi.Session;
import io.vramlab.magics.bug.HistoryRecorder;

/** Puts what a cell did to the memory into the notebook, while that is asked for. */
public final class AfterCellHistory implements CellListener {

    @Override
    public void cellStarted(Cell cell, Session session) {
        HistoryRecorder.of(session).cellStarted();
    }

    @Override
    public void cellFinished(Cell cell, Outcome outcome, Session session) {
        HistoryRecorder.of(session).cellFinished(cell.number()).forEach(session::display);
    }

    @Override
    public void sessionEnded(Session session) {
        HistoryRecorder.of(session).stop();
    }
}
