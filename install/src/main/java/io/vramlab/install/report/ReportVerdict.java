package io.vramlab.install.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.vramlab.install.advice.Advice;
import io.vramlab.install.advice.Proofs;
import io.vramlab.install.diagnosis.CauseKind;
import io.vramlab.install.diagnosis.Certainty;
import io.vramlab.install.diagnosis.Diagnosis;
import io.vramlab.install.diagnosis.Figures;
import io.vramlab.install.diagnosis.Finding;
import io.vramlab.install.diagnosis.LineRole;
import io.vramlab.install.diagnosis.ToldLine;
import io.vramlab.install.source.UserProgram;
import io.vramlab.install.story.Beside;
import io.vramlab.install.story.Places;
import io.vramlab.install.story.Story;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.Frame;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.Sizes;
import io.vramlab.memory.internal.whatif.ReplayProgress;
import io.vramlab.memory.internal.whatif.ProvenLimits;
import io.vramlab.memory.internal.whatif.WhatIf;
import io.vramlab.memory.internal.whatif.WhatIfReport;
import io.vramlab.memory.internal.whatif.WhatIfResult;

/**
 * What one device's history comes to: why, on which line, and what is proven to help.
 *
 * @param device its index
 * @param diagnosis why
 * @param tried what settings come to
 * @param advice what helps, the best first
 */
public record ReportVerdict(int device, Diagnosis diagnosis, Tried tried, List<Advice> advice) {

    /**
     * The same requests under other settings.
     *
     * @param recorded those that the history was recorded under
     * @param limit bytes that may be reserved, the most that the history proves was allowed; 0 for no limit
     * @param report what came of it
     */
    record Tried(String recorded, long limit, WhatIfReport report) {
    }

    private static final int MOST_REASONS = 2;
    /** What whole blocks are less more than what was asked for is not worth two figures. */
    private static final long TOLD = 64 << 10;

    /** Of each device that has a history. */
    public static List<ReportVerdict> of(MemorySnapshot snapshot, ReplayProgress progress) {
        return of(snapshot, frames -> UserProgram.NONE, progress);
    }

    /**
     * Of each device that has a history.
     *
     * @param sources what finds the program that some frames are of
     */
    public static List<ReportVerdict> of(MemorySnapshot snapshot, Function<Set<Frame>, UserProgram> sources,
            ReplayProgress progress) {
        List<ReportVerdict> verdicts = new ArrayList<>();
        List<Integer> devices = snapshot.devicesWithHistory();
        for (int device : devices) {
            Story told = Story.of(snapshot, device);
            Supplier<Tried> settings = Beside.work(told, () -> tried(snapshot, device, told, progress));
            Diagnosis diagnosis = Diagnosis.of(told, sources.apply(Places.userFrames(told)));
            Tried tried = settings.get();
            verdicts.add(new ReportVerdict(device, diagnosis, tried,
                    Proofs.of(diagnosis, settings(snapshot), tried.report(), progress)));
        }
        return List.copyOf(verdicts);
    }

    private static Tried tried(MemorySnapshot snapshot, int device, Story story, ReplayProgress progress) {
        long flushedAt = !story.flushes().isEmpty() ? story.mostReserved(story.events().size() - 1) : 0;
        long limit = story.failures().isEmpty() ? flushedAt : Figures.allowed(story);
        List<String> settings = new ArrayList<>(WhatIf.sensibleSettings(limit > 0));
        String recorded = settings(snapshot);
        if (!settings.contains(recorded)) {
            settings.add(0, recorded);
        }
        WhatIfReport all = new WhatIf(snapshot, limit, 0).run(settings, progress);
        List<String> notes = new ArrayList<>(all.notes());
        if (!story.failures().isEmpty()) {
            ProvenLimits.unlike(snapshot, device, limit, all).ifPresent(notes::add);
        }
        return new Tried(recorded, limit, new WhatIfReport(
                all.results().stream().filter(result -> result.device() == device).toList(), notes));
    }

    private static String settings(MemorySnapshot snapshot) {
        String text = snapshot.settings().orElse("");
        try {
            AllocatorSettings.DEFAULT.with(text);
            return text;
        } catch (IllegalArgumentException | IllegalStateException unknown) {
            return ""; // another backend's, or an option of another version of PyTorch
        }
    }

    /** In at most ten lines. */
    public List<String> lines() {
        Story story = diagnosis.evidence().story();
        Finding verdict = diagnosis.verdict();
        List<String> lines = new ArrayList<>();
        int failures = story.failures().size();
        lines.add(
                "GPU " + device + ": " + Sizes.exact(story.events().size()) + " events; at most "
                        + Sizes.both(story.live(story.peak())) + " in use" + allocated(story) + ", "
                        + Sizes.both(story.mostReserved(story.events().size() - 1))
                        + " reserved; "
                        + (failures == 0
                                ? "no request failed"
                                : Sizes.exact(failures) + (failures == 1 ? " request" : " requests") + " failed"));
        lines.add("why:    " + verdict.kind().text() + " (" + verdict.certainty().text() + ")"
                + diagnosis.near().map(near -> "; or else " + near.text()).orElse(""));
        if (!verdict.line().isEmpty()) {
            lines.add("where:  " + where(verdict));
        }
        Optional<String> or = settingsThatServe();
        List<String> code = code(verdict).stream().limit(or.isPresent() ? 1 : MOST_REASONS).toList();
        code.forEach(line -> lines.add("code:   " + line));
        verdict.because().stream().limit(code.size() > 1 || or.isPresent() ? 1 : MOST_REASONS)
                .forEach(reason -> lines.add("        " + reason));
        if (!verdict.surer().isEmpty()) {
            lines.add((diagnosis.near().isPresent() ? "apart:  " : "surer:  ") + diagnosis.surer());
        }
        advice.stream().findFirst().ifPresent(best -> {
            lines.add("do:     " + best.what());
            lines.add("proof:  " + best.proof());
        });
        or.ifPresent(settings -> lines.add("or:     " + settings));
        String also = diagnosis.others().stream().filter(other -> other.kind() != verdict.kind())
                .filter(other -> other.kind() != CauseKind.LIMIT || other.certainty() != Certainty.UNSURE)
                .filter(other -> diagnosis.near().filter(other.kind()::equals).isEmpty())
                .map(other -> other.kind().text() + " (" + other.certainty().text() + ")").distinct()
                .limit(MOST_REASONS).collect(Collectors.joining("; "));
        if (!also.isEmpty()) {
            lines.add("also:   " + also);
        }
        return lines;
    }

    /** What that came to in whole blocks, as {@code what-if} and the proofs count, where it is more; nothing where the replay does not tell. */
    private String allocated(Story story) {
        // one that serves what failed has that among its blocks
        long blocks = tried.report().results().stream().filter(result -> result.conf().equals(tried.recorded()))
                .filter(result -> story.failures().isEmpty() || result.oom() != null)
                .mapToLong(WhatIfResult::allocatedPeak).findFirst().orElse(0);
        return blocks - story.live(story.peak()) >= TOLD ? ", " + Sizes.both(blocks) + " in whole blocks" : "";
    }

    /** Settings under which every request was served in the replay; of what grows only where nothing better is known to be enough. */
    private Optional<String> settingsThatServe() {
        boolean grows = Proofs.grows(diagnosis.verdict().kind());
        return grows && advice.stream().findFirst().filter(Advice::enough).isPresent()
                ? Optional.empty()
                : advice.stream().skip(1).filter(each -> each.isSettings() && each.isProven() && each.enough())
                        .map(each -> each.what() + ": every request is served in the replay; "
                                + (grows
                                        ? "more is kept each time, so this only puts it off"
                                        : "what would have come after is not in it"))
                        .findFirst();
    }

    /** What stands in the first two lines of a finding, as far as their files are there. */
    List<String> code(Finding finding) {
        UserProgram program = diagnosis.evidence().program();
        List<String> code = finding.lines().stream().limit(2).map(line -> program.line(line.line()))
                .filter(text -> !text.isEmpty()).toList();
        return code.isEmpty() && !program.changed().isEmpty()
                ? List.of("(not told: " + String.join(", ", program.changed()) + " is no longer what ran)")
                : code;
    }

    /** The lines of a finding, each with what it has to do with it, unless only what makes it is known. */
    String where(Finding finding) {
        boolean plain = finding.lines().stream().limit(1).allMatch(line -> line.role() == LineRole.MADE)
                && finding.lines().stream()
                        .allMatch(line -> line.role() == LineRole.MADE || line.role() == LineRole.WITHIN);
        String lines = plain
                ? finding.lines().stream().map(ToldLine::line).collect(Collectors.joining(", most of it in "))
                : finding.lines().stream().map(line -> line.line() + " (" + line.role().text() + ")")
                        .collect(Collectors.joining(", "));
        boolean alone = !lines.isEmpty() && !diagnosis.evidence().story().hasStacks();
        return alone ? lines + ", by the source alone" : lines;
    }
}
