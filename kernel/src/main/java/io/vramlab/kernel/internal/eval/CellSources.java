package io.vramlab.kernel.internal.eval;

import java.util.LinkedHashMap;
import java.util.Map;

/** The texts of the last cells, for error messages that show lines. Safe from any thread. */
public final class CellSources {

    private static final int KEPT = 2000;

    private final Map<Integer, String> texts = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, String> eldest) {
            return size() > KEPT;
        }
    };

    /** Remembers the text of In [cell]. */
    public synchronized void put(int cell, String text) {
        texts.put(cell, text);
    }

    /** The text of In [cell]; empty if it is not known. */
    public synchronized String text(int cell) {
        return texts.getOrDefault(cell, "");
    }

    /** The text of a line (from 1) of In [cell]; empty if it is not known. */
    public synchronized String line(int cell, int line) {
        return text(cell).lines().skip(Math.max(0, line - 1)).findFirst().orElse("");
    }
}
