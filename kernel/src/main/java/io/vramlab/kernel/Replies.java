package io.vramlab.kernel;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.vramlab.kernel.internal.eval.ShownError;

/** Contents that several replies share. */
final class Replies {

    private Replies() {
    }

    static JsonObject ok() {
        JsonObject content = new JsonObject();
        content.addProperty("status", "ok");
        return content;
    }

    static JsonObject error(ShownError error) {
        JsonObject content = error(error.name(), error.message());
        JsonArray lines = new JsonArray();
        error.lines().forEach(lines::add);
        content.add("traceback", lines);
        return content;
    }

    static JsonObject error(String name, String message) {
        JsonObject content = new JsonObject();
        content.addProperty("status", "error");
        content.addProperty("ename", name);
        content.addProperty("evalue", message);
        content.add("traceback", new JsonArray());
        return content;
    }
}
