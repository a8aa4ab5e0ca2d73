package io.vramlab.magics;

import io.vramlab.device.Device;
import io.vramlab.kernel.spi.Cell;
import io.vramlab.kernel.spi.CellListener;
import io.vramlab.kernel.spi.Outcome;
import io.vramlab.kernel.spi.Session;
import io.vramlab.memory.MemoryAnnotations;

/** Marks in memory snapshots where each cell began and ended. */
public final class CellMarks implements CellListener {

    @Override
    public void cellStarted(Cell cell, Session session) {
        MemoryAnnotations.start(name(cell), Device.current().index());
    }

    @Override
    public void cellFinished(Cell cell, Outcome outcome, Session session) {
        MemoryAnnotations.end(name(cell), Device.current().index());
    }

    private static String name(Cell cell) {
        return "In [" + cell.number() + "]";
    }
}
