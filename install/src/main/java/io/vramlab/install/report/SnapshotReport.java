package io.vramlab.install.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.vramlab.install.advice.Proofs;
import io.vramlab.install.diagnosis.CauseKind;
import io.vramlab.install.diagnosis.Diagnosis;
import io.vramlab.install.diagnosis.Figures;
import io.vramlab.install.diagnosis.Figures.Cause;
import io.vramlab.install.diagnosis.Finding;
import io.vramlab.install.story.Moment;
import io.vramlab.install.story.Story;
import io.vramlab.kernel.spi.option.Words;
import io.vramlab.kernel.spi.text.Markdown;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.SegmentInfo;
import io.vramlab.memory.Sizes;
import io.vramlab.memory.TraceEntry;
import io.vramlab.memory.internal.whatif.WhatIfReport;
import io.vramlab.memory.internal.whatif.WhatIfTable;

/** Writes a snapshot's story as a notebook. */
public final class SnapshotReport {

    private static final int MOST_HOLDERS = 12;
    private static final int MOST_FAILURES = 20;
    private static final String NO_STACKS = "\nThe history has no stacks, so holders are told by size. To have them told by"
            + " their lines, record it with"
            + " `torch.cuda.memory._record_memory_history(max_entries=1000000, stacks=\"python\")`.\n";

    private final MemorySnapshot snapshot;
    private final List<ReportVerdict> verdicts;
    private final String file;
    private final NotebookText notebook = new NotebookText();

    private SnapshotReport(MemorySnapshot snapshot, List<ReportVerdict> verdicts, String file) {
        this.snapshot = snapshot;
        this.verdicts = verdicts;
        this.file = file;
    }

    /**
     * The notebook's text.
     *
     * @param snapshot what is told
     * @param verdicts what its histories come to
     * @param file how the notebook's code cells name the snapshot's file
     * @throws IllegalArgumentException when the history cannot have been, or a cell cannot name that file
     */
    public static String of(MemorySnapshot snapshot, List<ReportVerdict> verdicts, String file) {
        return new SnapshotReport(snapshot, verdicts, file).write();
    }

    /**
     * What can be told of a snapshot whose history was not recorded, and how to have more.
     *
     * @return lines for a terminal
     */
    public static List<String> withoutHistory(MemorySnapshot snapshot) {
        List<SegmentInfo> segments = snapshot.segments();
        return List.of(
                "No history was recorded, so why and where cannot be told. When the snapshot was taken "
                        + Sizes.both(segments.stream().mapToLong(SegmentInfo::allocatedSize).sum())
                        + " were allocated of "
                        + Sizes.both(segments.stream().mapToLong(SegmentInfo::totalSize).sum()) + " reserved, in "
                        + Sizes.exact(segments.size()) + (segments.size() == 1 ? " segment." : " segments."),
                "do:     torch.cuda.memory._record_memory_history(max_entries=1000000)  # before the model is made",
                "        torch.cuda.memory._dump_snapshot(\"snapshot.pickle\")  # after it failed, in the same process");
    }

    private String write() {
        notebook.markdown("# " + Markdown.escape(file)
                + (verdicts.isEmpty()
                        ? "\n\nThe snapshot has no history, so there is no story to tell: what is below is its last moment."
                                + " Record one with `torch.cuda.memory._record_memory_history()` before the program runs."
                        : ""));
        for (ReportVerdict verdict : verdicts) {
            device(verdict);
        }
        notebook.markdown("## When the snapshot was taken\n\n" + totals());
        return notebook.json();
    }

    private String totals() {
        List<List<String>> rows = new ArrayList<>();
        List<List<TraceEntry>> traces = snapshot.traces();
        List<SegmentInfo> segments = snapshot.segments();
        for (int device = 0; device < traces.size(); device++) {
            int index = device;
            List<SegmentInfo> own = segments.stream().filter(s -> s.device() == index).toList();
            if (!own.isEmpty() || !traces.get(device).isEmpty()) {
                rows.add(List.of("" + device, Sizes.exact(own.size()),
                        Sizes.both(own.stream().mapToLong(SegmentInfo::totalSize).sum()),
                        Sizes.both(own.stream().mapToLong(SegmentInfo::allocatedSize).sum()),
                        Sizes.exact(traces.get(device).size())));
            }
        }
        return settings()
                + Tables.markdown(List.of("device", "segments", "reserved", "allocated", "events in the history"),
                        rows);
    }

    private String settings() {
        return snapshot.settings().map(text -> "Recorded under " + (text.isEmpty()
                ? "the allocator's default settings."
                : "PYTORCH_CUDA_ALLOC_CONF=" + Markdown.escape(text) + ".") + "\n\n").orElse("");
    }

    private void device(ReportVerdict verdict) {
        int device = verdict.device();
        Diagnosis diagnosis = verdict.diagnosis();
        Story story = diagnosis.evidence().story();
        Finding found = diagnosis.verdict();
        StringBuilder text = new StringBuilder(
                "## Device " + device + ": the cause\n\n**" + capital(found.kind().text())
                        + "** (" + found.certainty().text() + ")"
                        + diagnosis.near().map(near -> ", or else: " + near.text()).orElse("") + ".\n\n");
        if (!found.line().isEmpty()) {
            text.append("Where: **").append(Markdown.escape(verdict.where(found))).append("**\n\n");
        }
        verdict.code(found).forEach(line -> text.append("<code>").append(Markdown.escape(line))
                .append("</code>\n\n"));
        text.append(StoryPicture.of(story, "Device " + device).html()).append("\n\n");
        Stream.concat(found.because().stream(), diagnosis.figures().sentences().stream()).distinct()
                .forEach(reason -> text.append("- ").append(Markdown.escape(reason)).append('\n'));
        if (!found.surer().isEmpty()) {
            text.append(diagnosis.near().isPresent() ? "\nTo tell them apart: " : "\nTo be surer: ")
                    .append(Markdown.escape(diagnosis.surer())).append('\n');
        }
        notebook.markdown(text.toString());
        notebook.markdown("## What helps\n\n" + advice(verdict));
        if (!diagnosis.others().isEmpty()) {
            notebook.markdown("## What else was seen\n\n" + others(verdict));
        }
        lines(diagnosis);
        notebook.markdown("## The story\n\n" + moments(story));
        holders(story, diagnosis.figures());
        notebook.markdown("## Fragmentation\n\n" + holes(story));
        whatIf(device, verdict.tried());
    }

    private static String advice(ReportVerdict verdict) {
        if (verdict.advice().isEmpty()) {
            return "Nothing needs help. The tables below tell what the peak consists of.";
        }
        CauseKind kind = verdict.diagnosis().verdict().kind();
        List<List<String>> rows = verdict.advice().stream()
                .map(one -> List.of(one.what(), one.proof() + (one.isSettings() && Proofs.grows(kind)
                        ? " More is kept each time: this only puts it off."
                        : "")))
                .toList();
        return Tables.markdown(List.of("what to do", "what came of it when the history was replayed so"), rows);
    }

    private static String others(ReportVerdict verdict) {
        List<List<String>> rows = verdict.diagnosis().others().stream()
                .map(one -> List.of(one.kind().text(), one.certainty().text(), verdict.where(one),
                        String.join(" ", one.because())))
                .toList();
        return Tables.markdown(List.of("cause", "how sure", "where", "because"), rows);
    }

    private static String moments(Story story) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(moment("start", "before the first", story, -1));
        List<FailureRun> runs = FailureRun.of(story);
        List<FailureRun> told = runs.stream().limit(MOST_FAILURES).toList();
        told.stream().filter(run -> run.first() < story.peak()).forEach(run -> rows.add(failure(run, story)));
        if (story.peak() >= 0) {
            rows.add(moment("peak", Sizes.exact(story.peak()), story, story.peak()));
        }
        told.stream().filter(run -> run.first() >= story.peak()).forEach(run -> rows.add(failure(run, story)));
        int more = runs.stream().skip(MOST_FAILURES).mapToInt(FailureRun::times).sum();
        if (more > 0) {
            rows.add(List.of("… " + Sizes.exact(more) + " more such requests", "", "", ""));
        }
        int end = story.events().size() - 1;
        rows.add(moment("end", Sizes.exact(end), story, end));
        String before = story.live(-1) == 0
                ? ""
                : "\nThe history begins when " + Sizes.both(story.live(-1)) + " were in use already: it was switched on"
                        + " later, or its beginning was dropped (`max_entries`). What came before is known from what was"
                        + " freed or left.";
        return Tables.markdown(List.of("moment", "event", "in use (requested)", "reserved"), rows) + before;
    }

    private static List<String> failure(FailureRun run, Story story) {
        return moment(run.name() + ", asking for " + Sizes.both(run.asked()), run.events(), story, run.first());
    }

    private static List<String> moment(String name, String event, Story story, int at) {
        return List.of(name, event, Sizes.both(story.live(at)), Sizes.both(story.reserved(at)));
    }

    private void holders(Story story, Figures diagnosis) {
        notebook.markdown("## Who held the peak\n\n"
                + (story.peak() < 0 ? "Before the first event" : "At event " + Sizes.exact(story.peak())) + ":\n\n"
                + table(Holders.of(story.at(story.peak()))) + (story.hasStacks() ? "" : NO_STACKS));
        if (diagnosis.cause() == Cause.LEAK && diagnosis.growth().from() < diagnosis.growth().to()) {
            Figures.Span span = diagnosis.growth();
            notebook.markdown("## What has grown\n\nAllocated after event " + Sizes.exact(span.from())
                    + " and still held at event " + Sizes.exact(span.to()) + ":\n\n"
                    + table(Holders.since(story.at(span.to()), span.from())));
        }
    }

    /** Where the source is there: what stands in the lines that held memory when it mattered. */
    private void lines(Diagnosis diagnosis) {
        if (!diagnosis.evidence().program().isUnknown()) {
            List<List<String>> rows = HeldLine.of(diagnosis.evidence()).stream()
                    .map(line -> List.of(line.line(), line.source(), Sizes.exact(line.blocks()),
                            Sizes.both(line.bytes())))
                    .toList();
            notebook.markdown("## The lines that held memory\n\n"
                    + Tables.markdown(List.of("line", "what stands there", "blocks", "bytes"), rows));
        }
    }

    private static String table(List<Holders.Holder> holders) {
        List<List<String>> rows = new ArrayList<>(holders.stream().limit(MOST_HOLDERS)
                .map(h -> List.of(h.name(), Sizes.exact(h.blocks()), Sizes.both(h.bytes()))).toList());
        if (holders.size() > MOST_HOLDERS) {
            List<Holders.Holder> rest = holders.subList(MOST_HOLDERS, holders.size());
            rows.add(List.of("… " + Sizes.exact(rest.size()) + (rest.size() == 1 ? " other" : " others"),
                    Sizes.exact(rest.stream().mapToInt(Holders.Holder::blocks).sum()),
                    Sizes.both(rest.stream().mapToLong(Holders.Holder::bytes).sum())));
        }
        return Tables.markdown(List.of("allocated by", "blocks", "bytes"), rows);
    }

    private static String holes(Story story) {
        List<List<String>> rows = new ArrayList<>();
        List<FailureRun> told = FailureRun.of(story).stream().limit(MOST_FAILURES).toList();
        told.stream().filter(run -> run.first() < story.peak())
                .forEach(run -> rows.add(hole(run.name(), run.events(), story, run.first())));
        rows.add(hole("peak", Sizes.exact(story.peak()), story, story.peak()));
        told.stream().filter(run -> run.first() >= story.peak())
                .forEach(run -> rows.add(hole(run.name(), run.events(), story, run.first())));
        int end = story.events().size() - 1;
        rows.add(hole("end", Sizes.exact(end), story, end));
        return Tables.markdown(
                List.of("moment", "event", "reserved", "reserved and not in use", "share", "holes", "largest hole"),
                rows)
                + "\nA hole is cached memory in one piece; a request must fit into one.";
    }

    private static List<String> hole(String name, String event, Story story, int at) {
        Moment moment = story.at(at);
        Moment.Cached cached = moment.cached();
        return List.of(name, event, Sizes.both(moment.reserved()), Sizes.both(cached.bytes()),
                String.format(Locale.ROOT, "%.1f %%",
                        moment.reserved() == 0 ? 0 : 100.0 * cached.bytes() / moment.reserved()),
                Sizes.exact(cached.holes()), Sizes.both(cached.largest()));
    }

    private void whatIf(int device, ReportVerdict.Tried tried) {
        long limit = tried.limit();
        WhatIfReport report = tried.report();
        // without the column of the device, which the section is about
        List<List<String>> rows = WhatIfTable.rows(report).stream().filter(row -> row.getFirst().equals("" + device))
                .map(row -> row.subList(1, row.size())).toList();
        StringBuilder text = new StringBuilder("## What if\n\n");
        text.append(limit == 0
                ? "The same requests under other settings, without a limit:\n\n"
                : "The same requests under other settings, when " + Sizes.both(limit)
                        + " may be reserved, the most that the history proves was allowed:\n\n");
        text.append(Tables.markdown(WhatIfTable.headings().subList(1, WhatIfTable.headings().size()), rows))
                .append('\n');
        if (report.runsOutUnderEach()) {
            text.append("**None of these settings is enough**: memory runs out under each.\n\n");
        } else {
            report.best()
                    .ifPresent(best -> text.append("**Best: ")
                            .append(best.isEmpty() ? "the default settings" : Markdown.escape(best))
                            .append("**.\n\n"));
        }
        report.remarks().forEach(note -> text.append("- ").append(Markdown.escape(note)).append('\n'));
        notebook.markdown(text.toString());
        notebook.code("%what_if " + Words.quoted(file) + (limit == 0 ? "" : " --limit " + limit));
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
