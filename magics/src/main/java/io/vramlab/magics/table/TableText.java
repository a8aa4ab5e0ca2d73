package io.vramlab.magics.table;

import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.kernel.spi.text.Visible;
import java.util.List;
import tech.tablesaw.api.Table;
import tech.tablesaw.columns.Column;

/** Writes a table as aligned text. */
final class TableText {

    /** Wider text is cut with an ellipsis. */
    private static final int WIDEST = 100;

    private TableText() {
    }

    /** Appends the table, at most {@code limit} rows of it; every line ends with a line break. */
    static void write(Table table, int limit, StringBuilder out) {
        List<Column<?>> columns = table.columns();
        int shown = Math.min(limit, table.rowCount());
        String[][] cells = new String[shown + 1][columns.size()];
        int[] widths = new int[columns.size()];
        for (int c = 0; c < columns.size(); c++) {
            cells[0][c] = cut(Visible.text(columns.get(c).name()));
            for (int row = 0; row < shown; row++) {
                cells[row + 1][c] = cut(CellText.text(columns.get(c), row));
            }
            besides(columns.get(c), shown, cells, c);
            for (String[] line : cells) {
                widths[c] = Math.max(widths[c], line[c].codePointCount(0, line[c].length()));
            }
        }
        if (table.name() != null && !table.name().isBlank()) {
            out.append(Visible.text(table.name())).append('\n');
        }
        for (int row = 0; row <= shown; row++) {
            line(columns, cells[row], widths, out);
            if (row == 0) {
                rule(widths, out);
            }
        }
        if (shown < table.rowCount()) {
            out.append(rest(table.rowCount() - shown)).append('\n');
        }
    }

    /** Sizes stand beside the digits of bytes, each right under the one above. */
    private static void besides(Column<?> column, int shown, String[][] cells, int c) {
        int widest = widestSize(column, shown);
        for (int row = 0; row < shown && widest > 0; row++) {
            cells[row + 1][c] += beside(column, row, widest);
        }
    }

    /** Characters of the longest size in the first rows of a column; 0 where no row has one. */
    private static int widestSize(Column<?> column, int shown) {
        int widest = 0;
        for (int row = 0; row < shown; row++) {
            widest = Math.max(widest, CellText.size(column, row).length());
        }
        return widest;
    }

    /** A row's size, two blanks before it, filled up to the widest; only blanks for a row that has none. */
    private static String beside(Column<?> column, int row, int widest) {
        String size = CellText.size(column, row);
        return " ".repeat(2 + widest - size.length()) + size;
    }

    /** What stands for the rows left out. */
    static String rest(int rows) {
        return "… " + ReadableSizes.exact(rows) + " more";
    }

    private static void line(List<Column<?>> columns, String[] cells, int[] widths, StringBuilder out) {
        int start = out.length();
        for (int c = 0; c < cells.length; c++) {
            if (c > 0) {
                out.append("  ");
            }
            String gap = " ".repeat(widths[c] - cells[c].codePointCount(0, cells[c].length()));
            if (CellText.isNumber(columns.get(c))) {
                out.append(gap).append(cells[c]);
            } else {
                out.append(cells[c]).append(gap);
            }
        }
        while (out.length() > start && out.charAt(out.length() - 1) == ' ') {
            out.setLength(out.length() - 1);
        }
        out.append('\n');
    }

    private static void rule(int[] widths, StringBuilder out) {
        for (int c = 0; c < widths.length; c++) {
            out.append(c == 0 ? "" : "  ").append("-".repeat(widths[c]));
        }
        out.append('\n');
    }

    private static String cut(String text) {
        int lineBreak = text.indexOf('\n');
        String line = lineBreak < 0 ? text : text.substring(0, lineBreak) + " …";
        if (line.codePointCount(0, line.length()) <= WIDEST) {
            return line;
        }
        return line.substring(0, line.offsetByCodePoints(0, WIDEST - 1)) + "…";
    }
}
