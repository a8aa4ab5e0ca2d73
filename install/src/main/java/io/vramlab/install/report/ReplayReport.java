package io.vramlab.install.report;

import java.util.ArrayList;
import java.util.List;

import io.vramlab.install.notebook.RecordedHistory;
import io.vramlab.install.story.Story;
import io.vramlab.kernel.spi.text.Html;
import io.vramlab.magics.bug.RecordedPart;
import io.vramlab.magics.bug.StateTables;
import io.vramlab.memory.MemorySummary;
import io.vramlab.memory.Sizes;
import io.vramlab.memory.internal.whatif.ReplayProgress;
import io.vramlab.memory.internal.whatif.WhatIf;
import io.vramlab.memory.internal.whatif.WhatIfReport;
import io.vramlab.memory.internal.whatif.WhatIfResult;

/** What a recorded history came to, and would have come to elsewhere. */
public final class ReplayReport {

    private static final int MOST_TENSORS = 8;

    private final RecordedHistory history;
    private final int until;
    private final RecordedHistory.Told told;
    private final Story story;

    /**
     * Of the history up to a cell.
     *
     * @param until that cell's number
     */
    public ReplayReport(RecordedHistory history, int until) {
        this.history = history;
        this.until = until;
        this.told = history.told(until);
        this.story = Story.of(told.snapshot(), 0);
    }

    /**
     * As lines of text.
     *
     * @param settings what to replay it under; the recorded settings and a sensible set when empty
     * @param capacity bytes of another device, 0 for the recorded device and limit
     * @throws IllegalArgumentException when a setting is not valid
     */
    public List<String> lines(List<String> settings, long capacity, ReplayProgress progress) {
        RecordedPart last = history.parts().getLast();
        long limit = capacity > 0 ? 0 : last.limit();
        long total = capacity > 0 ? capacity : last.total();
        List<String> chosen = new ArrayList<>(settings);
        if (chosen.isEmpty()) {
            chosen.add(last.settings());
            WhatIf.sensibleSettings(true).stream().filter(conf -> !chosen.contains(conf)).forEach(chosen::add);
        }
        WhatIfReport report = new WhatIf(told.snapshot(), limit, total).run(chosen, progress);
        List<String> lines = new ArrayList<>();
        lines.add(last.device() + " of " + history.parts().size() + " recorded cells: " + last.environment());
        lines.add("recorded: at most " + Sizes.both(story.live(story.peak())) + " in use" + in(story.peak()) + ", "
                + Sizes.both(story.mostReserved(story.events().size() - 1)) + " reserved; "
                + (story.failures().isEmpty()
                        ? "memory did not run out"
                        : "memory ran out" + in(story.failures().getFirst())));
        if (history.thinned()) {
            lines.add(
                    "The history was thinned when it was recorded: blocks that came and went within a cell are missing, so"
                            + " peaks within cells are higher than what follows.");
        }
        if (history.ended()) {
            lines.add("Recording ended after In [" + last.cell() + "], when the notebook had grown by 2 MB.");
        }
        alive(lines);
        lines.add("replayed with " + Sizes.both(total) + " of device memory"
                + (limit > 0 ? ", of which " + Sizes.both(limit) + " may be reserved:" : ":"));
        for (WhatIfResult result : report.results()) {
            lines.add("  " + (result.conf().isEmpty() ? "default" : result.conf()) + ": peak reserved "
                    + Sizes.both(result.reservedPeak()) + ", allocated " + Sizes.both(result.allocatedPeak()) + "; "
                    + (result.oom() == null
                            ? "memory does not run out"
                            : "memory runs out" + in(result.oom().event()) + ", asking for "
                                    + Sizes.both(result.oom().requested())));
        }
        if (report.runsOutUnderEach()) {
            lines.add("none of these settings is enough: memory runs out under each");
        } else {
            report.best().ifPresent(best -> lines.add("best: " + (best.isEmpty() ? "default" : best)));
        }
        return lines;
    }

    /** What the state tables say of the last cell that is told. */
    private void alive(List<String> lines) {
        RecordedPart end = end();
        List<StateTables.Alike> tensors = end.state().tensors();
        if (!end.state().isEmpty()) {
            lines.add(
                    "alive after In [" + end.cell() + "]: "
                            + Sizes.exact(tensors.stream().mapToInt(StateTables.Alike::count).sum())
                            + " tensors, " + Sizes.both(tensors.stream().mapToLong(StateTables.Alike::bytes).sum()));
            tensors.stream().limit(MOST_TENSORS)
                    .forEach(group -> lines.add("  " + Sizes.exact(group.count()) + " × " + group.form()
                            + ", " + group.kind() + ": " + Sizes.both(group.bytes())));
            if (tensors.size() > MOST_TENSORS) {
                lines.add("  … " + (tensors.size() - MOST_TENSORS) + " more forms");
            }
        }
    }

    private RecordedPart end() {
        return history.parts().stream().filter(part -> part.cell() <= until)
                .reduce((first, last) -> last).orElseThrow();
    }

    private String in(int event) {
        return event >= 0 && event < told.cells().length ? " in In [" + told.cells()[event] + "]" : "";
    }

    /** The recorded story as a picture, with these lines and the last memory summary below, as a part of an HTML page. */
    public String html(List<String> lines) {
        return "<section>" + StoryPicture.of(story, history.parts().getLast().device()).html() + "<pre>"
                + Html.escape(String.join("\n", lines)) + "</pre><pre>"
                + Html.escape(
                        MemorySummary.text(end().state().allStatistics(), end().device().replaceAll("\\D", ""), true))
                + "</pre></section>\n";
    }
}
