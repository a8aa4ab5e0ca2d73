package io.vramlab.install.report;

import java.util.List;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;

/** A notebook file of format 4.5 in the making; the same cells give the same text. */
final class NotebookText {

    private final JsonArray cells = new JsonArray();

    /** Adds text. */
    NotebookText markdown(String text) {
        cell("markdown", text);
        return this;
    }

    /** Adds code that has not run. */
    NotebookText code(String source) {
        JsonObject cell = cell("code", source);
        cell.add("execution_count", JsonNull.INSTANCE);
        cell.add("outputs", new JsonArray());
        return this;
    }

    private JsonObject cell(String type, String source) {
        JsonObject cell = new JsonObject();
        cell.addProperty("cell_type", type);
        cell.addProperty("id", "cell-" + (cells.size() + 1));
        cell.add("metadata", new JsonObject());
        JsonArray lines = new JsonArray();
        List<String> parts = source.lines().toList();
        for (int i = 0; i < parts.size(); i++) {
            lines.add(parts.get(i) + (i < parts.size() - 1 ? "\n" : ""));
        }
        cell.add("source", lines);
        cells.add(cell);
        return cell;
    }

    /** The file's text. */
    String json() {
        JsonObject root = new JsonObject();
        root.add("cells", cells);
        JsonObject metadata = new JsonObject();
        metadata.add("kernelspec", object("display_name", "VramLab (Java)", "language", "java", "name", "vramlab"));
        metadata.add("language_info", object("name", "java"));
        root.add("metadata", metadata);
        root.addProperty("nbformat", 4);
        root.addProperty("nbformat_minor", 5);
        return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create().toJson(root)
                + "\n";
    }

    private static JsonElement object(String... pairs) {
        JsonObject object = new JsonObject();
        for (int i = 0; i < pairs.length; i += 2) {
            object.addProperty(pairs[i], pairs[i + 1]);
        }
        return object;
    }
}
