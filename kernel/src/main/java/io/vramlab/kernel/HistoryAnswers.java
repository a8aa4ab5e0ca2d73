package io.vramlab.kernel;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.vramlab.kernel.internal.history.Entry;
import io.vramlab.kernel.internal.history.History;
import java.util.List;

/** Answers history requests. */
final class HistoryAnswers {

    private final History history;

    HistoryAnswers(History history) {
        this.history = history;
    }

    JsonObject answer(ContentFields fields) throws ContentFields.BadRequestException {
        List<Entry> found = switch (fields.text("hist_access_type", "tail")) {
            case "range" -> history.range(fields.number("session", 0), fields.number("start", 0),
                    fields.number("stop", 0));
            case "search" -> history.search(fields.text("pattern", "*"), fields.number("n", Integer.MAX_VALUE),
                    fields.flag("unique", false));
            case "tail" -> history.tail(fields.number("n", Integer.MAX_VALUE));
            default -> throw new ContentFields.BadRequestException("hist_access_type", "one of range, tail, search");
        };
        boolean output = fields.flag("output", false);
        JsonArray entries = new JsonArray();
        for (Entry each : found) {
            JsonArray entry = new JsonArray();
            entry.add(each.session());
            entry.add(each.line());
            if (output) {
                JsonArray both = new JsonArray();
                both.add(each.input());
                both.add(each.output());
                entry.add(both);
            } else {
                entry.add(each.input());
            }
            entries.add(entry);
        }
        JsonObject content = Replies.ok();
        content.add("history", entries);
        return content;
    }
}
