package io.vramlab.magics.table;

import io.vramlab.kernel.spi.Renderer;
import io.vramlab.kernel.spi.text.Html;
import io.vramlab.kernel.spi.text.Visible;
import java.util.LinkedHashMap;
import java.util.Map;
import tech.tablesaw.api.Table;

/** Shows every Tablesaw table, a magic's or a user's. */
public final class TableRenderer implements Renderer<Table> {

    @Override
    public Class<Table> type() {
        return Table.class;
    }

    @Override
    public Map<String, String> render(Table table) {
        Map<String, String> bundle = new LinkedHashMap<>();
        bundle.put("text/html", html(table));
        bundle.put("text/plain", text(table));
        if (table instanceof ReportTable report && report.png()) {
            report.picture().ifPresent(p -> bundle.put("image/png", p.pngBase64()));
        }
        return bundle;
    }

    private static String html(Table table) {
        StringBuilder out = new StringBuilder("<div>");
        if (!(table instanceof ReportTable report)) {
            new TableHtml(out).write(table, ReportTable.DEFAULT_ROWS);
            return out.append("</div>").toString();
        }
        report.picture().ifPresent(picture -> out.append(report.png() ? picture.pngHtml() : picture.html()));
        report.page().ifPresent(
                page -> out.append("<iframe style=\"width:100%;height:640px;border:1px solid #8884\" srcdoc=\"")
                        .append(Html.escape(page)).append("\"></iframe>"));
        if (report.columnCount() > 0) {
            new TableHtml(out).write(report, report.rowLimit());
        }
        for (String note : report.notes()) {
            out.append(NoteHtml.of(note));
        }
        report.sections().forEach(section -> out.append(html(section)));
        return out.append("</div>").toString();
    }

    private static String text(Table table) {
        StringBuilder out = new StringBuilder();
        if (!(table instanceof ReportTable report)) {
            TableText.write(table, ReportTable.DEFAULT_ROWS, out);
            return out.toString();
        }
        if (report.text().isPresent()) {
            return report.text().get();
        }
        report.picture().ifPresent(picture -> out.append(picture.text()).append('\n'));
        if (report.columnCount() > 0) {
            TableText.write(report, report.rowLimit(), out);
        }
        report.notes().forEach(note -> out.append(Visible.text(note)).append('\n'));
        report.sections().forEach(section -> out.append('\n').append(text(section)));
        return out.toString();
    }
}
