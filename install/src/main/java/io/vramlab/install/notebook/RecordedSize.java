package io.vramlab.install.notebook;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.stream.JsonWriter;

import io.vramlab.magics.bug.BrokenHistoryException;
import io.vramlab.magics.bug.RecordedPart;

import com.google.gson.JsonPrimitive;

/** How much of a notebook's file recorded histories take. */
public final class RecordedSize {

    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();
    /** Jupyter indents by one space a level; outputs are four levels deep. */
    private static final String LEVEL = " ";
    private static final int DEPTH = 4;

    private RecordedSize() {
    }

    /** Bytes that the histories among some outputs take in a file as Jupyter writes it. */
    public static long bytes(List<Output> outputs) {
        return outputs.stream().filter(RecordedSize::isHistory).mapToLong(RecordedSize::bytes).sum();
    }

    /**
     * Memory events that the histories among some outputs tell of.
     *
     * @throws BrokenHistoryException when one of them is none
     */
    public static long events(List<Output> outputs) throws BrokenHistoryException {
        long events = 0;
        for (Output output : outputs) {
            if (isHistory(output)) {
                events += RecordedPart.read(new JsonPrimitive(output.more().get(RecordedPart.TYPE))).happened();
            }
        }
        return events;
    }

    private static boolean isHistory(Output output) {
        return output.more().containsKey(RecordedPart.TYPE);
    }

    private static long bytes(Output output) {
        JsonArray lines = new JsonArray();
        lines.add(output.text());
        JsonObject data = new JsonObject();
        data.addProperty(RecordedPart.TYPE, output.more().get(RecordedPart.TYPE));
        data.add("text/plain", lines);
        JsonObject whole = new JsonObject();
        whole.add("data", data);
        whole.add("metadata", new JsonObject());
        whole.addProperty("output_type", "display_data");
        StringWriter text = new StringWriter();
        JsonWriter writer = new JsonWriter(text);
        writer.setIndent(LEVEL);
        GSON.toJson(whole, writer);
        // each line is indented by its depth, and a comma and a line's end separate the output from the one beside it
        return text.toString().lines().mapToLong(line -> DEPTH + line.getBytes(StandardCharsets.UTF_8).length + 1).sum()
                + 1;
    }
}
