package io.vramlab.kernel.display;

import io.vramlab.kernel.spi.Renderer;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Maps: the first entries as text and as a table of two columns. */
@SuppressWarnings("rawtypes")
public final class MapRenderer implements Renderer<Map> {

    private static final int ENTRIES = 100;

    @Override
    public Class<Map> type() {
        return Map.class;
    }

    @Override
    public Map<String, String> render(Map value) {
        StringJoiner text = new StringJoiner(", ", "{", "}");
        HtmlTable table = new HtmlTable(List.of("key", "value"));
        int shown = 0;
        for (Object each : value.entrySet()) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) each;
            if (shown++ == ENTRIES) {
                text.add("… (" + value.size() + " in all)");
                break;
            }
            String key = PlainText.of(entry.getKey());
            String held = entry.getValue() == value ? "(this map)" : PlainText.of(entry.getValue());
            text.add(key + "=" + held);
            table.row(List.of(key, held));
        }
        return Map.of("text/plain", text.toString(), "text/html",
                table.html(shown > ENTRIES ? value.size() + " entries in all" : ""));
    }
}
