package io.vramlab.magics.table;

import java.util.ArrayList;
import java.util.List;
import tech.tablesaw.api.DoubleColumn;
import tech.tablesaw.api.LongColumn;
import tech.tablesaw.api.StringColumn;
import tech.tablesaw.columns.Column;

/** Fills a table row by row: first the columns are declared, then the rows added. */
public final class RowBuilder {

    private final List<Column<?>> columns = new ArrayList<>();

    /** Adds columns of text. */
    public RowBuilder text(String... names) {
        for (String name : names) {
            columns.add(StringColumn.create(name));
        }
        return this;
    }

    /** Adds columns of whole numbers. */
    public RowBuilder number(String... names) {
        for (String name : names) {
            columns.add(LongColumn.create(name));
        }
        return this;
    }

    /** Adds columns of fractions. */
    public RowBuilder decimal(String... names) {
        for (String name : names) {
            columns.add(DoubleColumn.create(name));
        }
        return this;
    }

    /** Adds a row: a value per column, null where there is none. */
    public RowBuilder row(Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(values.length + " values for " + columns.size() + " columns");
        }
        for (int i = 0; i < values.length; i++) {
            append(columns.get(i), values[i]);
        }
        return this;
    }

    private static void append(Column<?> column, Object value) {
        switch (column) {
            case Column<?> c when value == null -> c.appendMissing();
            case LongColumn c -> c.append(((Number) value).longValue());
            case DoubleColumn c -> c.append(((Number) value).doubleValue());
            case StringColumn c -> c.append(value.toString());
            default -> throw new IllegalStateException("no such column is declared: " + column.type());
        }
    }

    /** How many rows there are. */
    public int count() {
        return columns.get(0).size();
    }

    /** What the rows so far have in a column of whole numbers. */
    public long sum(String name) {
        long sum = 0;
        for (Column<?> column : columns) {
            if (column instanceof LongColumn numbers && column.name().equals(name)) {
                sum += (long) numbers.sum();
            }
        }
        return sum;
    }

    /** The table. */
    public ReportTable report(String caption) {
        return new ReportTable(caption, columns.toArray(Column<?>[]::new));
    }
}
