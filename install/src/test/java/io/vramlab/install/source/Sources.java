package io.vramlab.install.source;

import java.util.List;
import java.util.Map;
import java.util.Set;

import io.vramlab.memory.Frame;

/** Programs for tests, of one file. */
final class Sources {

    static final String FILE = "train.py";

    private Sources() {
    }

    static UserProgram program(String text) {
        return UserProgram.of(Map.of(FILE, PythonFile.of(text.lines().toList())), Set.of());
    }

    /** The frame of a line, given by a part of it that no line before it has. */
    static Frame frame(String text, String part, String function) {
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(part)) {
                return new Frame(FILE, i + 1, function);
            }
        }
        throw new IllegalArgumentException("no line says " + part);
    }
}
