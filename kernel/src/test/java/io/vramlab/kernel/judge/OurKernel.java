package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;

/**
 * Our interpreter, in this process.
 *
 * @param accelerated
 *            whether it may go around JShell
 */
record OurKernel(boolean accelerated) implements Side {

    @Override
    public List<List<Seen>> run(List<CellSequence> sequences) {
        List<List<Seen>> all = new ArrayList<>();
        for (CellSequence sequence : sequences) {
            try (Session session = new Session(accelerated, Imports.ALL)) {
                all.add(sequence.cells().stream().map(Cell::text).map(session::run).toList());
            }
        }
        return all;
    }
}
