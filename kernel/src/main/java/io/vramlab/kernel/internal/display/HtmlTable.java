package io.vramlab.kernel.internal.display;

import io.vramlab.kernel.spi.text.Html;
import io.vramlab.kernel.spi.text.Visible;
import java.util.List;

/** A small table in HTML that shows in untrusted notebooks too: no style sheet, no script. */
final class HtmlTable {

    private final StringBuilder html = new StringBuilder("<table><thead>");

    HtmlTable(List<String> columns) {
        row(columns, "th");
        html.append("</thead><tbody>");
    }

    void row(List<String> cells) {
        row(cells, "td");
    }

    private void row(List<String> cells, String tag) {
        html.append("<tr>");
        for (String cell : cells) {
            html.append('<').append(tag).append(" style=\"text-align:left\">").append(Html.escape(Visible.text(cell)))
                    .append("</")
                    .append(tag).append('>');
        }
        html.append("</tr>");
    }

    String html(String note) {
        return html + "</tbody></table>" + (note.isEmpty() ? "" : "<p>" + Html.escape(note) + "</p>");
    }
}
