package io.vramlab.install.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.vramlab.install.advice.Advice;
import io.vramlab.install.advice.Proofs;
import io.vramlab.install.diagnosis.Diagnosis;
import io.vramlab.install.diagnosis.Finding;
import io.vramlab.install.story.Story;
import io.vramlab.memory.AllocatorSettings;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.Sizes;
import io.vramlab.memory.replay.Progress;

/**
 * What one device's history comes to: why, on which line, and what is proven to help.
 *
 * @param device its index
 * @param diagnosis why
 * @param advice what helps, the best first
 */
public record Verdict(int device, Diagnosis diagnosis, List<Advice> advice) {

    private static final int MOST_REASONS = 2;

    /** Of each device that has a history. */
    public static List<Verdict> of(MemorySnapshot snapshot, Progress progress) {
        List<Verdict> verdicts = new ArrayList<>();
        List<Integer> devices = snapshot.devicesWithHistory();
        for (int device : devices) {
            Diagnosis diagnosis = Diagnosis.of(Story.of(snapshot, device));
            verdicts.add(new Verdict(device, diagnosis, Proofs.of(diagnosis, settings(snapshot), progress)));
        }
        return List.copyOf(verdicts);
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

    /** In at most nine lines. */
    public List<String> lines() {
        Story story = diagnosis.evidence().story();
        Finding verdict = diagnosis.verdict();
        List<String> lines = new ArrayList<>();
        int failures = story.failures().size();
        lines.add("GPU " + device + ": " + String.format("%,d", story.events().size()) + " events; at most "
                + Sizes.both(story.live(story.peak())) + " in use, " + Sizes.both(story.mostReserved(story.events().size() - 1))
                + " reserved; " + (failures == 0 ? "no request failed" : failures + (failures == 1 ? " request" : " requests") + " failed"));
        lines.add("why:    " + verdict.kind().text() + " (" + verdict.certainty().text() + ")");
        if (!verdict.line().isEmpty()) {
            lines.add("where:  " + where(verdict));
        }
        verdict.because().stream().limit(MOST_REASONS).forEach(reason -> lines.add("        " + reason));
        if (!verdict.surer().isEmpty()) {
            lines.add("surer:  " + verdict.surer());
        }
        advice.stream().findFirst().ifPresent(best -> {
            lines.add("do:     " + best.what());
            lines.add("proof:  " + best.proof());
        });
        if (!diagnosis.others().isEmpty()) {
            lines.add("also:   " + diagnosis.others().stream().limit(MOST_REASONS)
                    .map(other -> other.kind().text() + " (" + other.certainty().text() + ")").collect(Collectors.joining("; ")));
        }
        return lines;
    }

    static String where(Finding finding) {
        return finding.line() + (finding.within().isEmpty() ? "" : ", most of it in " + finding.within());
    }
}
