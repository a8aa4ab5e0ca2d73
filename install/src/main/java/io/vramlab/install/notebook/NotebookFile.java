package io.vramlab.install.notebook;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;

import io.vramlab.magics.text.FileTrouble;

/**
 * A notebook file, as far as its code and outputs go.
 *
 * @param file where it was read from
 * @param cells its code cells, in order
 */
public record NotebookFile(Path file, List<CodeCell> cells) {

    private static final long LARGEST_FILE_BYTES = 256L << 20;
    private static final int VERSION = 4;

    /**
     * One code cell.
     *
     * @param number its place among the code cells, from 1
     * @param source its text
     * @param tags its tags; {@code raises-exception}: Jupyter's clients go on after an error; {@code simulated}: it uses
     *            what only a simulated GPU can do
     * @param outputs what it showed, in order; consecutive pieces of one stream are one
     */
    public record CodeCell(int number, String source, Set<String> tags, List<Output> outputs) {

        /** Whether a failure is no reason to stop. */
        public boolean mayFail() {
            return tags.contains("raises-exception");
        }

        /** Whether it can run on a simulated GPU alone. */
        public boolean needsSimulation() {
            return tags.contains("simulated");
        }
    }

    /**
     * Reads a notebook.
     *
     * @throws NotebookException when the file is no notebook of format 4, or too large to be one
     */
    public static NotebookFile read(Path file) {
        try {
            if (Files.size(file) > LARGEST_FILE_BYTES) {
                throw new NotebookException(file + " has " + Files.size(file) + " bytes; notebooks up to "
                        + LARGEST_FILE_BYTES + " bytes are read.");
            }
            return parse(file, Files.readString(file));
        } catch (CharacterCodingException binary) {
            throw new NotebookException(file + " is no notebook: it is not text.");
        } catch (IOException unreadable) {
            throw new NotebookException(file + " cannot be read: " + FileTrouble.clause(file, unreadable));
        }
    }

    static NotebookFile parse(Path file, String text) {
        try {
            JsonObject root = JsonParser.parseString(text).getAsJsonObject();
            if (root.get("nbformat").getAsInt() != VERSION) {
                throw new NotebookException(
                        file + " has notebook format " + root.get("nbformat") + "; format " + VERSION + " is read.");
            }
            List<CodeCell> cells = new ArrayList<>();
            for (JsonElement element : root.getAsJsonArray("cells")) {
                JsonObject cell = element.getAsJsonObject();
                if (cell.get("cell_type").getAsString().equals("code")) {
                    cells.add(new CodeCell(cells.size() + 1, Output.text(cell.get("source")), tags(cell),
                            outputs(cell)));
                }
            }
            return new NotebookFile(file, List.copyOf(cells));
        } catch (JsonParseException | IllegalStateException | NullPointerException | ClassCastException
                | NumberFormatException | UnsupportedOperationException broken) {
            throw new NotebookException(file + " is no notebook: " + broken.getMessage());
        } catch (StackOverflowError deep) {
            throw new NotebookException(file + " is no notebook: it is nested too deeply.");
        }
    }

    private static Set<String> tags(JsonObject cell) {
        JsonElement tags = cell.getAsJsonObject("metadata").get("tags");
        return tags == null
                ? Set.of()
                : tags.getAsJsonArray().asList().stream().map(JsonElement::getAsString)
                        .collect(Collectors.toUnmodifiableSet());
    }

    private static List<Output> outputs(JsonObject cell) {
        List<Output> outputs = new ArrayList<>();
        for (JsonElement element : cell.getAsJsonArray("outputs")) {
            JsonObject output = element.getAsJsonObject();
            Output.addTo(outputs, Output.of(output.get("output_type").getAsString(), output));
        }
        return List.copyOf(outputs);
    }
}
