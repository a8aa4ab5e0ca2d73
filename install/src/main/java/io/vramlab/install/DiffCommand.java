package io.vramlab.install;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.vramlab.install.notebook.NotebookException;
import io.vramlab.install.notebook.RecordedHistory;
import io.vramlab.install.diagnosis.Diagnosis;
import io.vramlab.install.diagnosis.Finding;
import io.vramlab.install.story.Story;
import io.vramlab.magics.text.FileTrouble;
import io.vramlab.memory.MemorySnapshot;
import io.vramlab.memory.Sizes;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sets the memory of two notebooks or snapshots side by side. */
@Command(name = "diff", addMethodSubcommands = false, mixinStandardHelpOptions = true, description = "Set the memory of two files side by side: snapshots, notebooks saved with %%bug_report on, or, line by line of the program, two recordings by vramlab_trace.py (.trace).")
final class DiffCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A")
    private Path first;

    @Parameters(index = "1", paramLabel = "B")
    private Path second;

    @Option(names = "--growth", paramLabel = "SIZE|SHARE", description = "how much more B may have in use at its peak, such as 0, 5MiB or 1%%: the exit status is 1 if it is more")
    private String growth;

    @Override
    public Integer call() {
        AllowedGrowth allowed = growth == null ? null : new AllowedGrowth(growth);
        if (first.toString().endsWith(".trace") && second.toString().endsWith(".trace")) {
            TraceDifference.Told told = TraceDifference.of(first, second);
            spec.commandLine().getOut().println(told.text());
            return judged(allowed, told.before(), told.after());
        }
        List<Story> before = stories(first);
        List<Story> after = stories(second);
        for (int i = 0; i < Math.max(before.size(), after.size()); i++) {
            List<String> left = i < before.size() ? figures(before.get(i)) : List.of();
            List<String> right = i < after.size() ? figures(after.get(i)) : List.of();
            List<String> names = List.of("events", "peak in use", "peak reserved", "in use at the end",
                    "reserved at the end", "failed requests", "cause", "where");
            spec.commandLine().getOut().println("GPU " + i + ": " + first + " | " + second);
            for (int row = 0; row < names.size(); row++) {
                String a = left.isEmpty() ? "no history" : left.get(row);
                String b = right.isEmpty() ? "no history" : right.get(row);
                spec.commandLine().getOut()
                        .println((a.equals(b) ? "  " : "! ") + names.get(row) + ": " + a
                                + (a.equals(b) ? "" : " | " + b));
            }
        }
        return judged(allowed, before.stream().mapToLong(each -> each.live(each.peak())).max().orElse(0),
                after.stream().mapToLong(each -> each.live(each.peak())).max().orElse(0));
    }

    private int judged(AllowedGrowth allowed, long before, long after) {
        if (allowed == null) {
            return Main.OK;
        }
        spec.commandLine().getOut().println("\n" + allowed.told(before, after));
        return allowed.allows(before, after) ? Main.OK : Main.FAILED;
    }

    private static List<String> figures(Story story) {
        int end = story.events().size() - 1;
        Finding cause = story.events().isEmpty() ? null : Diagnosis.of(story).verdict();
        return List.of(Sizes.exact(end + 1L), Sizes.both(story.live(story.peak())), Sizes.both(story.mostReserved(end)),
                Sizes.both(story.live(end)), Sizes.both(story.reserved(end)), Sizes.exact(story.failures().size()),
                cause == null
                        ? "not told: no history was recorded"
                        : cause.kind().text() + " (" + cause.certainty().text() + ")",
                cause == null || cause.line().isEmpty() ? "not told" : cause.line());
    }

    private static List<Story> stories(Path file) {
        List<Story> stories = new ArrayList<>();
        try {
            if (file.toString().endsWith(".ipynb")) {
                for (RecordedHistory history : RecordedHistory.read(file)) {
                    stories.add(Story.of(history.told(Integer.MAX_VALUE).snapshot(), 0));
                }
            } else {
                MemorySnapshot snapshot = MemorySnapshot.read(file);
                for (int device = 0; device < snapshot.traces().size(); device++) {
                    stories.add(Story.of(snapshot, device));
                }
            }
            return stories;
        } catch (IOException unreadable) {
            throw unreadable(file, FileTrouble.why(file, unreadable));
        } catch (NotebookException | IllegalArgumentException | ArithmeticException unreadable) {
            throw unreadable(file, unreadable.getMessage());
        }
    }

    private static CommandFailure unreadable(Path file, String why) {
        return new CommandFailure("The memory history of " + file + " was to be read.", why,
                FileKind.of(file).filter(kind -> kind == FileKind.RECORDING)
                        .map(kind -> "Two recordings by vramlab_trace.py stand side by side where both end in .trace.")
                        .orElse("Name a snapshot, or a notebook (.ipynb) that was saved with %bug_report on."));
    }
}
