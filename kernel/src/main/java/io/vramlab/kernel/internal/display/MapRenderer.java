package io.vramlab.kernel.internal.display;

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
        HtmlTable table = new HtmlTable(List.of("key", "value"));
        String text = text(value, table);
        return Map.of("text/plain", text, "text/html",
                table.html(value.size() > ENTRIES ? value.size() + " entries in all" : ""));
    }

    @Override
    public String label(Map value) {
        return text(value, new HtmlTable(List.of()));
    }

    private static String text(Map<?, ?> value, HtmlTable table) {
        StringJoiner text = new StringJoiner(", ", "{", "}");
        int shown = 0;
        for (Map.Entry<?, ?> entry : value.entrySet()) {
            if (shown++ == ENTRIES) {
                text.add("… (" + value.size() + " in all)");
                break;
            }
            String key = Renderers.label(entry.getKey());
            String held = entry.getValue() == value ? "(this map)" : Renderers.label(entry.getValue());
            text.add(key + "=" + held);
            table.row(List.of(key, held));
        }
        return text.toString();
    }
}
