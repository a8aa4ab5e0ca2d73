package io.vramlab.install.browser;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.vramlab.install.notebook.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A notebook file as a stranger gets it: with outputs, and signed by nobody. */
public final class SavedNotebook {

    private final JsonArray cells = new JsonArray();
    private int tables;
    private int pictures;
    private int titles;

    /** Adds a cell with what it showed. */
    public void add(String source, List<Output> outputs) {
        JsonObject cell = new JsonObject();
        cell.addProperty("cell_type", "code");
        cell.addProperty("id", "cell-" + cells.size());
        cell.addProperty("execution_count", cells.size() + 1);
        cell.add("metadata", new JsonObject());
        cell.addProperty("source", source);
        JsonArray saved = new JsonArray();
        outputs.forEach(output -> saved.add(saved(output)));
        cell.add("outputs", saved);
        cells.add(cell);
    }

    private JsonObject saved(Output output) {
        JsonObject saved = new JsonObject();
        switch (output.kind()) {
            case "stream" -> {
                saved.addProperty("output_type", "stream");
                saved.addProperty("name", output.name());
                saved.addProperty("text", output.text());
            }
            case "error" -> {
                saved.addProperty("output_type", "error");
                saved.addProperty("ename", output.name());
                saved.addProperty("evalue", output.text());
                JsonArray lines = new JsonArray();
                output.more().getOrDefault("traceback", "").lines().forEach(lines::add);
                saved.add("traceback", lines);
            }
            default -> {
                saved.addProperty("output_type", "display_data");
                saved.add("metadata", new JsonObject());
                JsonObject data = new JsonObject();
                output.more().forEach(data::addProperty);
                data.addProperty("text/plain", output.text());
                saved.add("data", data);
                String html = output.more().getOrDefault("text/html", "");
                tables += count(html, "<table");
                pictures += count(html, "<img src=\"data:");
                titles += count(html, "position:absolute");
            }
        }
        return saved;
    }

    private static int count(String text, String part) {
        return text.split(java.util.regex.Pattern.quote(part), -1).length - 1;
    }

    /** How many tables its outputs have. */
    public int tables() {
        return tables;
    }

    /** How many pictures. */
    public int pictures() {
        return pictures;
    }

    /** How many places in them tell something to the pointer. */
    public int titles() {
        return titles;
    }

    /** Writes the file. */
    public void write(Path file) throws IOException {
        JsonObject notebook = new JsonObject();
        notebook.addProperty("nbformat", 4);
        notebook.addProperty("nbformat_minor", 5);
        notebook.add("metadata", new JsonObject());
        notebook.add("cells", cells);
        Files.writeString(file, new GsonBuilder().setPrettyPrinting().create().toJson(notebook));
    }
}
