package io.vramlab.magics;

import io.vramlab.kernel.spi.MagicCall;
import io.vramlab.magics.table.ReportTable;
import io.vramlab.magics.table.RowBuilder;
import io.vramlab.magics.text.ReadableSizes;
import io.vramlab.magics.track.CellLines;
import io.vramlab.magics.track.QuotedCells;
import io.vramlab.magics.track.LineFigures;
import io.vramlab.magics.track.Tracking;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code %%track} shows: a cell line by line. It listens and does nothing else, so what it shows is what happens. */
final class LineReport {

    private LineReport() {
    }

    static ReportTable of(MagicCall call) throws Exception {
        Tracking tracking = Tracking.of(call.session());
        boolean wasOn = tracking.isOn();
        tracking.start();
        Map<Tracking.Followed, Long> starts = new HashMap<>();
        tracking.all().forEach(f -> {
            f.log().linesOfFrees(true);
            starts.put(f, f.log().end());
        });
        try {
            call.session().evaluate(call.body(), call.bodyLine());
        } catch (Exception | Error failure) {
            call.session().display(report(call, tracking, starts));
            throw failure;
        } finally {
            starts.keySet().forEach(f -> f.log().linesOfFrees(false));
            if (!wasOn) {
                tracking.stop();
            }
        }
        return report(call, tracking, starts);
    }

    private static ReportTable report(MagicCall call, Tracking tracking, Map<Tracking.Followed, Long> starts) {
        String[] source = call.body().split("\n", -1);
        RowBuilder rows = new RowBuilder().text("line")
                .number("allocations", "allocated bytes", "freed bytes", "net bytes",
                        "peak bytes", "from pool bytes", "from device bytes")
                .text("source");
        long net = 0;
        for (Map.Entry<Tracking.Followed, Long> start : starts.entrySet()) {
            Tracking.Followed followed = start.getKey();
            List<LineFigures> lines = LineFigures.of(followed.log(), start.getValue(), followed.log().end());
            for (LineFigures line : lines) {
                rows.row(place(line, call), line.allocations(), line.allocated(), line.freed(), line.net(), line.peak(),
                        line.fromPool(), line.acquired(), source(line, call, source, tracking.sources()));
                net += line.net();
            }
        }
        return rows.report("In [" + call.session().executionCount() + "] line by line: " + ReadableSizes.change(net))
                .note("The cell changed what is allocated by " + ReadableSizes.both(net) + ".").rows(200);
    }

    private static String place(LineFigures figures, MagicCall call) {
        return CellLines.line(figures.line())
                .map(l -> l.cell() == call.session().executionCount() ? String.valueOf(l.line()) : l.text())
                .orElse("outside of cells");
    }

    /** Lines of other cells, whose methods were called, are quoted as those of this one. */
    private static String source(LineFigures figures, MagicCall call, String[] source, QuotedCells others) {
        Optional<CellLines.Line> line = CellLines.line(figures.line());
        if (line.isPresent() && line.get().cell() != call.session().executionCount()) {
            return others.line(line.get()).orElse("");
        }
        return line.map(l -> l.line() - call.bodyLine()).filter(i -> i >= 0 && i < source.length)
                .map(i -> source[i].strip()).orElse("");
    }
}
