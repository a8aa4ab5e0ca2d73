package io.vramlab.magics.table;

import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.kernel.spi.text.Visible;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import tech.tablesaw.api.ColumnType;
import tech.tablesaw.api.Table;
import tech.tablesaw.columns.Column;

/** What one cell of a table reads, the same in HTML and in plain text. */
final class CellText {

    static final String BYTES = "bytes";
    static final String PERCENT = "percent";
    /** Columns that say in words what the numbers beside them are. */
    private static final List<String> SUBJECTS = List.of("unit", "metric", "statistic", "figure");

    private CellText() {
    }

    static boolean isNumber(Column<?> column) {
        ColumnType type = column.type();
        return type == ColumnType.LONG || type == ColumnType.INTEGER || type == ColumnType.DOUBLE
                || type == ColumnType.FLOAT || type == ColumnType.SHORT;
    }

    /** True when the column's numbers are bytes, told by its name. */
    static boolean isBytes(Column<?> column) {
        String name = column.name().toLowerCase(Locale.ROOT);
        return isNumber(column) && (name.equals("bytes") || name.endsWith(" bytes") || name.endsWith("_bytes"));
    }

    /** True when the column's numbers are shares of a whole, from 0 to 1, told by its name. */
    static boolean isShare(Column<?> column) {
        String name = column.name().toLowerCase(Locale.ROOT);
        return column.type() == ColumnType.DOUBLE
                && (name.equals("share") || name.endsWith(" share") || name.equals("fragmentation"));
    }

    /** Beside the digits of bytes: their size in KiB, MiB or GiB; empty where the digits say it as well. */
    static String size(Column<?> column, int row) {
        return isBytes(column) ? sizeOf(column, row) : "";
    }

    /**
     * What a row's numbers are where their columns' names do not tell: {@link #BYTES}, {@link #PERCENT} or empty. The column
     * that says what the row is about has the word.
     */
    static String unitOfRow(Table table, int row) {
        for (String column : SUBJECTS) {
            if (table.columnNames().contains(column) && table.column(column).get(row) instanceof String subject) {
                List<String> words = Arrays.asList(subject.split("[^a-z]+"));
                if (words.contains(BYTES)) {
                    return BYTES;
                }
                if (words.contains(PERCENT)) {
                    return PERCENT;
                }
            }
        }
        return "";
    }

    /** The size of a number that is known to be bytes, as {@link #size}. */
    static String sizeOf(Column<?> column, int row) {
        if (!isNumber(column) || column.isMissing(row)) {
            return "";
        }
        long bytes = ((Number) column.get(row)).longValue();
        return Math.abs(bytes) < 1024 ? "" : ReadableSizes.text(bytes);
    }

    /** The full text, which may have several lines; empty for a missing value. */
    static String text(Column<?> column, int row) {
        if (column.isMissing(row)) {
            return "";
        }
        if (isShare(column)) {
            return ReadableSizes.percent(((Number) column.get(row)).doubleValue());
        }
        return switch (column.get(row)) {
            case Long n -> ReadableSizes.exact(n);
            case Integer n -> ReadableSizes.exact(n);
            case Short n -> ReadableSizes.exact(n);
            case Double d -> decimal(d);
            case Float f -> decimal(f);
            case Boolean b -> b ? "yes" : "no";
            case Instant i -> i.toString();
            case null -> "";
            case Object other -> Visible.text(other.toString());
        };
    }

    /** Up to four decimals, none that say nothing. */
    private static String decimal(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return ReadableSizes.exact((long) value);
        }
        String text = String.format(Locale.ROOT, "%,.4f", value);
        int end = text.length();
        while (text.charAt(end - 1) == '0') {
            end--;
        }
        return text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    }
}
