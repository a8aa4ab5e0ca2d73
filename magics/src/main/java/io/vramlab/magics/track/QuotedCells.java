package io.vramlab.magics.track;

import java.util.Iterator;
import java.util.Optional;
import java.util.TreeMap;

/** The texts of the cells that ran, so that a table about one cell can quote a line of another. The newest are kept. */
public final class QuotedCells {

    /** Characters in all; beyond them the oldest cells are forgotten. */
    static final int MOST = 4 << 20;

    private final TreeMap<Integer, String> texts = new TreeMap<>();
    private long characters;

    /** A cell begins. */
    public synchronized void started(int cell, String source) {
        String replaced = texts.put(cell, source);
        characters += source.length() - (replaced == null ? 0 : replaced.length());
        for (Iterator<String> oldest = texts.values().iterator(); characters > MOST && texts.size() > 1;) {
            characters -= oldest.next().length();
            oldest.remove();
        }
    }

    /** The text of a line without the blanks around it; empty where the cell is not known or has no such line. */
    public synchronized Optional<String> line(CellLines.Line line) {
        return Optional.ofNullable(texts.get(line.cell()))
                .flatMap(text -> text.lines().skip(Math.max(0, line.line() - 1)).findFirst()).map(String::strip);
    }
}
