package io.vramlab.magics.table;

import io.vramlab.kernel.spi.text.Html;
import io.vramlab.kernel.spi.text.Visible;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tech.tablesaw.api.Table;
import tech.tablesaw.columns.Column;

/** Writes a table as HTML that survives the sanitizer of an untrusted notebook. */
final class TableHtml {

    private static final String NUMBER = " style=\"text-align:right;font-family:monospace;white-space:nowrap\"";
    private static final String TEXT = " style=\"text-align:left\"";
    private static final String UNBROKEN = " style=\"text-align:left;white-space:nowrap\"";
    /** Many columns stand closer, so that the last one is on the sheet of paper too. */
    private static final int MANY = 6;
    /** So many stand closer still, and a short name may break as well as a long one. */
    private static final int VERY_MANY = 7;
    /** A table of no more rows is not divided between two sheets of paper, nor parted from its title. */
    private static final int TOGETHER = 12;
    /** Where a name, a setting or an address may go on in the next line. */
    private static final Pattern SEAM = Pattern
            .compile("(?<=[_:])(?=\\w)|(?<=\\w)(?=\\[)|(?<=^0x[0-9a-f]{4})(?=[0-9a-f]{4})");
    /** The name of a setting or a field, which may go on below among many columns. */
    private static final Pattern SETTING = Pattern.compile("\\w[_:]\\w");
    /** A name that is no longer stays on one line. */
    private static final int SHORT = 24;
    /** So do a few words that are no longer, among few columns, and a cell's number everywhere. */
    private static final int FEW = 14;

    /** A title that is no longer stands on one line, however narrow the table below it. */
    private static final int ONE_LINE = 64;

    private final StringBuilder out;
    private int columns;
    private int lower = -1;
    private int upper = -1;

    TableHtml(StringBuilder out) {
        this.out = out;
    }

    /** Appends the table, at most {@code limit} rows of it. */
    void write(Table table, int limit) {
        if (table instanceof ReportTable report) {
            lower = report.lowerColumn();
            upper = report.upperColumn();
        }
        columns = table.columnCount();
        int shown = Math.min(limit, table.rowCount());
        out.append("<table style=\"border-collapse:collapse;margin:4px 0").append(shown <= TOGETHER
                ? ";page-break-inside:avoid"
                : "").append("\">");
        if (table.name() != null && !table.name().isBlank()) {
            String title = Visible.text(table.name());
            out.append("<caption style=\"caption-side:top;text-align:left;font-weight:bold;padding:4px 0")
                    .append(title.length() <= ONE_LINE ? ";white-space:nowrap" : "").append("\">")
                    .append(Html.escape(title)).append("</caption>");
        }
        out.append("<thead><tr>");
        for (int c = 0; c < table.columnCount(); c++) {
            if (c == lower) {
                continue;
            }
            Column<?> column = table.column(c);
            String style = CellText.isNumber(column) ? " style=\"text-align:right\"" : TEXT;
            out.append("<th").append(spaced(style, table, c)).append('>')
                    .append(Html.escape(Visible.text(column.name())))
                    .append(c == upper ? small(Html.escape(Visible.text(table.column(lower).name()))) : "")
                    .append("</th>");
        }
        out.append("</tr></thead><tbody>");
        for (int row = 0; row < shown; row++) {
            out.append("<tr>");
            String unit = CellText.unitOfRow(table, row);
            for (int c = 0; c < table.columnCount(); c++) {
                if (c == lower) {
                    continue;
                }
                cell(table, c, row, unit);
            }
            out.append("</tr>");
        }
        if (shown < table.rowCount()) {
            out.append("<tr><td colspan=\"").append(lower < 0 ? columns : columns - 1).append('"').append(TEXT)
                    .append('>')
                    .append(TableText.rest(table.rowCount() - shown)).append("</td></tr>");
        }
        out.append("</tbody></table>");
    }

    private void cell(Table table, int c, int row, String unit) {
        Column<?> column = table.column(c);
        String text = CellText.text(column, row);
        if (CellText.isNumber(column)) {
            // a size stands above its digits, not beside them: tables of bytes fit the page that way
            String size = unit.equals(CellText.BYTES) ? CellText.sizeOf(column, row) : CellText.size(column, row);
            out.append("<td").append(spaced(NUMBER, table, c)).append('>').append(size.isEmpty()
                    ? text + (unit.equals(CellText.PERCENT) && !text.isEmpty() ? "\u00a0%" : "")
                    : size.replace(" ", "\u00a0") + "<br><small>" + text + "</small>").append("</td>");
            return;
        }
        out.append("<td").append(spaced(isUnbroken(text) ? UNBROKEN : TEXT, table, c)).append('>');
        int lineBreak = text.indexOf('\n');
        if (lineBreak < 0) {
            out.append(isUnbroken(text) ? Html.escape(text) : seams(text));
        } else {
            out.append("<details><summary>").append(Html.escape(text.substring(0, lineBreak)))
                    .append("</summary><pre style=\"margin:0;text-align:left\">")
                    .append(Html.escape(text.substring(lineBreak + 1))).append("</pre></details>");
        }
        if (c == upper) {
            out.append(small(seams(CellText.text(table.column(lower), row))));
        }
        out.append("</td>");
    }

    private static String small(String html) {
        return html.isEmpty() ? "" : "<br><small>" + html + "</small>";
    }

    /** The text with the places marked at which a line may end though there is no blank. */
    private static String seams(String text) {
        return SEAM.splitAsStream(text).map(Html::escape).collect(Collectors.joining("<wbr>"));
    }

    /** The style with a cell's space around it: where many columns stand close, words are kept off the number before them. */
    private String spaced(String style, Table table, int c) {
        if (columns < MANY) {
            return style;
        }
        int side = columns >= VERY_MANY ? 3 : 5;
        boolean isAfterNumber = c > 0 && CellText.isNumber(table.column(c - 1)) && !CellText.isNumber(table.column(c));
        return style.substring(0, style.length() - 1) + ";padding:2px " + side + "px"
                + (isAfterNumber ? " 2px " + 3 * side + "px" : "") + "\"";
    }

    private boolean isUnbroken(String text) {
        return isShort(text) && columns < VERY_MANY && !(columns >= MANY && SETTING.matcher(text).find());
    }

    /** Words that may stand below each other leave room for the columns beside them. */
    private boolean isShort(String text) {
        boolean hasIndex = text.contains("[");
        return text.length() <= FEW && (columns < MANY || hasIndex)
                || text.length() <= SHORT && (text.indexOf(' ') < 0 || hasIndex && text.endsWith("]"));
    }
}
