package io.vramlab.kernel;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import io.github.spencerpark.jupyter.kernel.display.DisplayData;
import io.vramlab.kernel.internal.cell.CellRun;
import io.vramlab.kernel.internal.channel.Outgoing;
import io.vramlab.kernel.internal.eval.ShownError;
import java.util.function.Consumer;

/** Publishes what every frontend shall see. */
final class Publisher {

    private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

    private final Consumer<Outgoing> sender;
    private final Runnable flushOutput;

    /**
     * A publisher.
     *
     * @param sender
     *            sends a message
     * @param flushOutput
     *            publishes the text printed so far, which must come before what is published here
     */
    Publisher(Consumer<Outgoing> sender, Runnable flushOutput) {
        this.sender = sender;
        this.flushOutput = flushOutput;
    }

    void status(JsonObject parent, String state) {
        JsonObject content = new JsonObject();
        content.addProperty("execution_state", state);
        publish("status", parent, content);
    }

    void input(CellRun run, String code) {
        JsonObject content = new JsonObject();
        content.addProperty("code", code);
        content.addProperty("execution_count", run.number());
        publish("execute_input", run.parent(), content);
    }

    void result(CellRun run, DisplayData data) {
        if (!run.silent()) {
            JsonObject content = bundle(data);
            content.addProperty("execution_count", run.number());
            publish("execute_result", run.parent(), content);
        }
    }

    void display(CellRun run, DisplayData data, String id, boolean update) {
        if (run != null && !run.silent() && !run.abandoned()) {
            JsonObject content = bundle(data);
            JsonObject transientData = new JsonObject();
            transientData.addProperty("display_id", id);
            content.add("transient", transientData);
            publish(update ? "update_display_data" : "display_data", run.parent(), content);
        }
    }

    void clear(CellRun run, boolean wait) {
        if (run != null && !run.silent() && !run.abandoned()) {
            JsonObject content = new JsonObject();
            content.addProperty("wait", wait);
            publish("clear_output", run.parent(), content);
        }
    }

    void error(CellRun run, ShownError error) {
        if (!run.silent()) {
            publish("error", run.parent(), Replies.error(error));
        }
    }

    void publish(String type, JsonObject parent, JsonObject content) {
        flushOutput.run();
        sender.accept(Outgoing.published(type, parent, content));
    }

    /** The {@code data} and {@code metadata} of a message that shows something. */
    static JsonObject bundle(DisplayData data) {
        JsonObject tree = GSON.toJsonTree(data).getAsJsonObject();
        JsonObject content = new JsonObject();
        content.add("data", tree.has("data") ? tree.get("data") : new JsonObject());
        content.add("metadata", tree.has("metadata") ? tree.get("metadata") : new JsonObject());
        return content;
    }
}
