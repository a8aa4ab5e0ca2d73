package io.vramlab.install.notebook;

import java.util.List;
import java.util.regex.Pattern;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

/** A lesson as it is handed out: without the solutions that its texts have folded away, and without the outputs of a run. */
public final class Handout {

    private static final Pattern SOLUTION = Pattern
            .compile("\\s*<details>\\s*<summary>A solution</summary>.*?</details>", Pattern.DOTALL);
    private static final Gson GSON = new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls()
            .create();

    private Handout() {
    }

    /**
     * A notebook's file without them.
     *
     * @param notebook the text of the file
     * @return the text of the file to hand out
     */
    public static String of(String notebook) {
        JsonObject root = JsonParser.parseString(notebook).getAsJsonObject();
        for (JsonElement element : root.getAsJsonArray("cells")) {
            JsonObject cell = element.getAsJsonObject();
            if (cell.get("cell_type").getAsString().equals("code")) {
                cell.add("outputs", new JsonArray());
                cell.add("execution_count", JsonNull.INSTANCE);
            } else {
                cell.add("source", lines(SOLUTION.matcher(text(cell.get("source"))).replaceAll("")));
            }
        }
        return GSON.toJson(root) + "\n";
    }

    private static String text(JsonElement source) {
        StringBuilder text = new StringBuilder();
        source.getAsJsonArray().forEach(line -> text.append(line.getAsString()));
        return text.toString();
    }

    /** The lines of a text, each with its end, as notebooks keep them. */
    private static JsonArray lines(String text) {
        List<String> lines = List.of(text.split("(?<=\n)"));
        JsonArray array = new JsonArray();
        lines.forEach(array::add);
        return array;
    }
}
