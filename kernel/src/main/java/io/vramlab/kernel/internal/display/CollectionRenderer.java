package io.vramlab.kernel.internal.display;

import io.vramlab.kernel.spi.Renderer;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Collections: the first elements as text, and lists of records as a table. */
@SuppressWarnings("rawtypes")
public final class CollectionRenderer implements Renderer<Collection> {

    private static final int ELEMENTS = 100;

    @Override
    public Class<Collection> type() {
        return Collection.class;
    }

    @Override
    public Map<String, String> render(Collection value) {
        List<Object> first = new ArrayList<>();
        String text = text(value, first);
        Class<?> type = first.isEmpty() || first.getFirst() == null ? Object.class : first.getFirst().getClass();
        if (!type.isRecord() || !first.stream().allMatch(type::isInstance)) {
            return Map.of("text/plain", text);
        }
        return Map.of("text/plain", text, "text/html", table(type, first, value.size()));
    }

    @Override
    public String label(Collection value) {
        return text(value, new ArrayList<>());
    }

    private static String text(Collection<?> value, List<Object> first) {
        StringJoiner text = new StringJoiner(", ", "[", "]");
        Iterator<?> iterator = value.iterator();
        while (iterator.hasNext() && first.size() < ELEMENTS) {
            Object element = iterator.next();
            first.add(element);
            text.add(element == value ? "(this collection)" : Renderers.label(element));
        }
        if (iterator.hasNext()) {
            text.add("… (" + value.size() + " in all)");
        }
        return text.toString();
    }

    private static String table(Class<?> type, List<Object> rows, int size) {
        RecordComponent[] columns = type.getRecordComponents();
        HtmlTable table = new HtmlTable(Arrays.stream(columns).map(RecordComponent::getName).toList());
        for (Object row : rows) {
            List<String> cells = new ArrayList<>();
            for (RecordComponent column : columns) {
                cells.add(component(column, row));
            }
            table.row(cells);
        }
        return table.html(size > rows.size() ? size + " rows in all" : "");
    }

    private static String component(RecordComponent column, Object row) {
        try {
            column.getAccessor().setAccessible(true);
            return Renderers.label(column.getAccessor().invoke(row));
        } catch (ReflectiveOperationException e) {
            return "(" + e + ")";
        }
    }
}
