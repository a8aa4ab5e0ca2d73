package io.vramlab.kernel.display;

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
        StringJoiner text = new StringJoiner(", ", "[", "]");
        List<Object> first = new ArrayList<>();
        Iterator<?> iterator = value.iterator();
        while (iterator.hasNext() && first.size() < ELEMENTS) {
            Object element = iterator.next();
            first.add(element);
            text.add(element == value ? "(this collection)" : PlainText.of(element));
        }
        if (iterator.hasNext()) {
            text.add("… (" + value.size() + " in all)");
        }
        Class<?> type = first.isEmpty() || first.getFirst() == null ? Object.class : first.getFirst().getClass();
        if (!type.isRecord() || !first.stream().allMatch(type::isInstance)) {
            return Map.of("text/plain", text.toString());
        }
        return Map.of("text/plain", text.toString(), "text/html", table(type, first, value.size()));
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
            return PlainText.of(column.getAccessor().invoke(row));
        } catch (ReflectiveOperationException e) {
            return "(" + e + ")";
        }
    }
}
