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
    /** So many that names must break as well. */
    private static final int VERY_MANY = 7;
    /** Where a name, a setting or an address may go on in the next line. */
    private static final Pattern SEAM = Pattern
            .compile("(?<=[_:])(?=\\w)|(?<=\\w)(?=\\[)|(?<=^0x[0-9a-f]{4})(?=[0-9a-f]{4})");
    private static final String CLOSE = ";padding:2px 3px\"";
    /** A name that is no longer stays on one line. */
    private static final int SHORT = 24;
    /** So do a few words that are no longer. */
    private static final int FEW = 14;

    private final StringBuilder out;
    private boolean close;
    private boolean broken;

    TableHtml(StringBuilder out) {
        this.out = out;
    }

    /** Appends the table, at most {@code limit} rows of it. */
    void write(Table table, int limit) {
        close = table.columnCount() >= MANY;
        broken = table.columnCount() >= VERY_MANY;
        out.append("<table style=\"border-collapse:collapse;margin:4px 0\">");
        if (table.name() != null && !table.name().isBlank()) {
            out.append("<caption style=\"caption-side:top;text-align:left;font-weight:bold;padding:4px 0\">")
                    .append(Html.escape(Visible.text(table.name()))).append("</caption>");
        }
        out.append("<thead><tr>");
        for (Column<?> column : table.columns()) {
            out.append("<th").append(style(CellText.isNumber(column) ? " style=\"text-align:right\"" : TEXT))
                    .append('>')
                    .append(Html.escape(Visible.text(column.name()))).append("</th>");
        }
        out.append("</tr></thead><tbody>");
        int shown = Math.min(limit, table.rowCount());
        for (int row = 0; row < shown; row++) {
            out.append("<tr>");
            String unit = CellText.unitOfRow(table, row);
            for (int c = 0; c < table.columnCount(); c++) {
                cell(table.column(c), row, unit);
            }
            out.append("</tr>");
        }
        if (shown < table.rowCount()) {
            out.append("<tr><td colspan=\"").append(table.columnCount()).append('"').append(TEXT).append('>')
                    .append(TableText.rest(table.rowCount() - shown)).append("</td></tr>");
        }
        out.append("</tbody></table>");
    }

    private void cell(Column<?> column, int row, String unit) {
        String text = CellText.text(column, row);
        if (CellText.isNumber(column)) {
            // a size stands above its digits, not beside them: tables of bytes fit the page that way
            String size = unit.equals(CellText.BYTES) ? CellText.sizeOf(column, row) : CellText.size(column, row);
            out.append("<td").append(style(NUMBER)).append('>').append(size.isEmpty()
                    ? text + (unit.equals(CellText.PERCENT) && !text.isEmpty() ? "\u00a0%" : "")
                    : size.replace(" ", "\u00a0") + "<br><small>" + text + "</small>").append("</td>");
            return;
        }
        out.append("<td").append(style(isShort(text) && !broken ? UNBROKEN : TEXT)).append('>');
        int lineBreak = text.indexOf('\n');
        if (lineBreak < 0) {
            out.append(broken ? seams(text) : Html.escape(text));
        } else {
            out.append("<details><summary>").append(Html.escape(text.substring(0, lineBreak)))
                    .append("</summary><pre style=\"margin:0;text-align:left\">")
                    .append(Html.escape(text.substring(lineBreak + 1))).append("</pre></details>");
        }
        out.append("</td>");
    }

    /** The text with the places marked at which a line may end though there is no blank. */
    private static String seams(String text) {
        return SEAM.splitAsStream(text).map(Html::escape).collect(Collectors.joining("<wbr>"));
    }

    private String style(String style) {
        return close ? style.substring(0, style.length() - 1) + CLOSE : style;
    }

    /** Words that may stand below each other leave room for the columns beside them. */
    private static boolean isShort(String text) {
        return text.length() <= FEW || text.length() <= SHORT && text.indexOf(' ') < 0
                || text.length() <= SHORT && text.contains("[") && text.endsWith("]");
    }
}
