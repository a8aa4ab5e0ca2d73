package io.vramlab.kernel.judge;

import java.util.ArrayList;
import java.util.List;

/**
 * Cells that are run one after another in a session of their own.
 *
 * @param seed
 *            what made the generator make them
 */
record CellSequence(long seed, List<Cell> cells) {

    /** The same without one of the cells. */
    CellSequence without(int cell) {
        List<Cell> fewer = new ArrayList<>(cells);
        fewer.remove(cell);
        return new CellSequence(seed, fewer);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("seed " + seed);
        for (int i = 0; i < cells.size(); i++) {
            text.append("\n--- In [").append(i + 1).append("]\n").append(cells.get(i).text());
        }
        return text.toString();
    }
}
