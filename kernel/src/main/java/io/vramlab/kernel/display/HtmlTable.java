package io.vramlab.kernel.display;

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
            html.append('<').append(tag).append(" style=\"text-align:left\">").append(escaped(cell)).append("</")
                    .append(tag).append('>');
        }
        html.append("</tr>");
    }

    String html(String note) {
        return html + "</tbody></table>" + (note.isEmpty() ? "" : "<p>" + escaped(note) + "</p>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
