package io.vramlab.install.notebook;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/**
 * One thing that a cell showed.
 *
 * @param kind {@code stream}, {@code data} or {@code error}
 * @param name the stream's name; the forms in which the data are there; the exception's class
 * @param text the stream's text; the data's plain text; the exception's message
 * @param more the data's other forms by their types; an error's {@code traceback}
 */
public record Output(String kind, String name, String text, Map<String, String> more) {

    /** The key of an error's traceback. */
    static final String TRACEBACK = "traceback";

    /** With no other form. */
    public Output(String kind, String name, String text) {
        this(kind, name, text, Map.of());
    }

    /** Whether this is an error. */
    public boolean isError() {
        return kind.equals("error");
    }

    /**
     * Reads an output, in the form that it has both in a notebook file and in a kernel's message.
     *
     * @param type the output's or the message's type
     * @param content its content
     */
    static Output of(String type, JsonObject content) {
        return switch (type) {
            case "stream" -> new Output("stream", content.get("name").getAsString(), text(content.get("text")));
            case "error" ->
                new Output("error", content.get("ename").getAsString(), content.get("evalue").getAsString(),
                        Map.of(TRACEBACK, lines(content.getAsJsonArray("traceback"))));
            case "execute_result", "display_data", "update_display_data" -> data(content.getAsJsonObject("data"));
            default -> throw new IllegalStateException("no output: " + type);
        };
    }

    private static Output data(JsonObject data) {
        Map<String, String> more = new TreeMap<>();
        data.asMap().forEach((type, value) -> more.put(type, value.isJsonObject() ? value.toString() : text(value)));
        String forms = String.join(", ", more.keySet());
        String plain = more.remove("text/plain");
        return new Output("data", forms, plain == null ? "" : plain, Map.copyOf(more));
    }

    private static String lines(JsonArray traceback) {
        return traceback.asList().stream().map(JsonElement::getAsString).collect(Collectors.joining("\n"));
    }

    /** Text as notebook files hold it: a string, or a list of lines. */
    static String text(JsonElement element) {
        return element.isJsonArray()
                ? element.getAsJsonArray().asList().stream().map(JsonElement::getAsString).collect(Collectors.joining())
                : element.getAsString();
    }

    /** Adds an output to a list; a piece of the stream that the list ends with is joined to it. */
    static void addTo(List<Output> outputs, Output next) {
        Output last = outputs.isEmpty() ? null : outputs.getLast();
        if (last != null && next.kind.equals("stream") && last.kind.equals("stream") && last.name.equals(next.name)) {
            outputs.set(outputs.size() - 1, new Output("stream", next.name, last.text + next.text));
        } else {
            outputs.add(next);
        }
    }
}
