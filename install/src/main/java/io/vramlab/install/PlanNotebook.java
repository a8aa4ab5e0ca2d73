package io.vramlab.install;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A notebook that shows a plan: its text as it was printed, and a cell that plans the recording again. */
final class PlanNotebook {

    private PlanNotebook() {
    }

    /**
     * Writes it.
     *
     * @param trace
     *            the recording; named in the cell by its absolute path
     */
    static void write(Path file, Path trace, String device, String report) throws IOException {
        JsonArray cells = new JsonArray();
        cells.add(cell("markdown", "# What " + trace.getFileName() + " needs\n\n```text\n" + report + "\n```"));
        JsonObject code = cell("code", "%plan --on " + device + " \"" + trace.toAbsolutePath().normalize() + "\"");
        code.add("outputs", new JsonArray());
        code.add("execution_count", null);
        cells.add(code);
        JsonObject kernel = new JsonObject();
        kernel.addProperty("name", "vramlab");
        kernel.addProperty("display_name", "VramLab (Java)");
        kernel.addProperty("language", "java");
        JsonObject metadata = new JsonObject();
        metadata.add("kernelspec", kernel);
        JsonObject notebook = new JsonObject();
        notebook.add("cells", cells);
        notebook.add("metadata", metadata);
        notebook.addProperty("nbformat", 4);
        notebook.addProperty("nbformat_minor", 5);
        Files.writeString(file, new GsonBuilder().serializeNulls().disableHtmlEscaping().setPrettyPrinting().create()
                .toJson(notebook));
    }

    private static JsonObject cell(String kind, String source) {
        JsonObject cell = new JsonObject();
        cell.addProperty("cell_type", kind);
        cell.addProperty("id", kind);
        cell.add("metadata", new JsonObject());
        cell.addProperty("source", source);
        return cell;
    }
}
