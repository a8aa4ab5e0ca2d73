package io.vramlab.magics;

import io.vramlab.kernel.spi.CellWeaver;
import io.vramlab.lifetime.Weaver;
import io.vramlab.tensor.Lifetimes;

/** Cells let go of tensors when Python would. */
public final class CountedCells implements CellWeaver {

    /** The package of all classes of cells, with slashes. */
    private static final String CELLS = "REPL/";

    @Override
    public byte[] weave(byte[] classFile) {
        return Weaver.weave(classFile, name -> name.startsWith(CELLS));
    }

    @Override
    public void hold(Object value) {
        Lifetimes.hold(value);
    }

    @Override
    public void drop(Object value) {
        Lifetimes.drop(value);
    }
}
