package io.vramlab.magics;

import io.vramlab.kernel.spi.Session;
import io.vramlab.magics.table.Alike;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.magics.track.CellLines;
import io.vramlab.magics.track.CollectedLog;
import io.vramlab.magics.track.QuotedCells;
import io.vramlab.magics.track.Tracking;
import io.vramlab.tensor.CollectedTensor;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The tensors that the collector had to free, each with where it was made and why counting did not free it. */
final class CollectedReport {

    private static final int SHOWN = 8;
    private static final double NANOS = 1e9;

    private CollectedReport() {
    }

    /** Of the whole session. */
    static ReportTable of(Session session) {
        CollectedLog log = CollectedLog.of(session);
        ReportTable report = table(log.all(), session);
        if (log.forgotten() > 0) {
            report.note(ReadableSizes.exact(log.forgotten()) + " more were found before; only the newest are kept.");
        }
        return report;
    }

    /** Of one cell, at its end. */
    static ReportTable of(int cell, Session session) {
        return table(CollectedLog.of(session).all().stream().filter(each -> each.cell() == cell).toList(), session)
                .rows(SHOWN);
    }

    private static ReportTable table(List<CollectedLog.Entry> entries, Session session) {
        QuotedCells sources = Tracking.of(session).sources();
        RowBuilder rows = new RowBuilder().text("tensor").number("bytes").text("made at", "why the collector", "after");
        Alike.of(entries, each -> "", each -> List.of(each.tensor().form(), each.tensor().bytes(),
                each.tensor().madeAt(), why(each.tensor(), sources))).stream()
                .sorted(Comparator.comparing(CollectedReport::bytes, Comparator.reverseOrder()))
                .forEach(group -> {
                    CollectedTensor one = group.first().tensor();
                    rows.row(group.times(one.form()), bytes(group), CellLines.text(one.madeAt()), why(one, sources),
                            after(group));
                });
        return rows.report("The collector had to free: " + ReadableSizes.count(entries.size(), "tensor") + ", "
                + ReadableSizes.text(entries.stream().mapToLong(each -> each.tensor().bytes()).sum()));
    }

    private static long bytes(Alike<CollectedLog.Entry> group) {
        return group.members().stream().mapToLong(each -> each.tensor().bytes()).sum();
    }

    /** The longest that one of them stayed. */
    private static String after(Alike<CollectedLog.Entry> group) {
        long longest = group.members().stream().mapToLong(each -> each.tensor().nanos()).max().orElse(0);
        return longest == 0 ? "" : String.format(Locale.ROOT, "%.1f s", longest / NANOS);
    }

    private static String why(CollectedTensor tensor, QuotedCells sources) {
        return switch (tensor.why()) {
            case ESCAPED -> CellLines.at(tensor.escapedAt())
                    .map(line -> "escaped at " + line.text()
                            + (tensor.how().isEmpty() ? "" : ", " + tensor.how())
                            + sources.line(line).map(text -> ": " + text).orElse(""))
                    .orElse("escaped" + (tensor.how().isEmpty() ? "" : ", " + tensor.how()));
            case OWNED -> "belongs to a module, an optimizer or a batch, which was dropped";
            case HOLDER_DROPPED -> "what held it was dropped where nobody counts";
            case NOT_COUNTED -> "counting was off";
        };
    }
}
