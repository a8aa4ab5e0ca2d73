package io.vramlab.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import io.vramlab.install.notebook.NotebookFile;
import io.vramlab.install.notebook.NotebookException;
import io.vramlab.install.notebook.RecordedSize;
import io.vramlab.magics.bug.BrokenHistoryException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures what recording adds to the files of notebooks. */
@Command(name = "growth", mixinStandardHelpOptions = true, description = "Run notebooks, each in a fresh kernel that records its memory's history from the first cell on, "
        + "and tell by how much that would make their files grow. The files stay as they are.")
final class GrowthCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "NOTEBOOK")
    private List<Path> files;

    @Option(names = "--device", paramLabel = "DEVICE", description = "the GPU to run on, as in VRAMLAB_DEVICE; cuda: real GPUs stand in for simulated ones, "
            + "and cells that need a simulated one are left out")
    private String device = "";

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "600", description = "how long a cell may take (default: ${DEFAULT-VALUE})")
    private long seconds;

    @Option(names = {"-j",
            "--jobs"}, paramLabel = "N", description = "how many notebooks run at once (default: one for each processor)")
    private int jobs = Runtime.getRuntime().availableProcessors();

    /** One notebook: its code cells, what they did, its file's bytes without recorded histories, and those of the histories. */
    private record Grown(String name, int cells, long events, long without, long added) {

        List<String> row() {
            return List.of(name, number(cells), number(events), number(without), number(without + added),
                    number(added), number(added / cells),
                    String.format(Locale.ROOT, "%.1f %%", 100.0 * added / without));
        }

        private static String number(long number) {
            return String.format(Locale.ROOT, "%,d", number);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        NotebookRun.requireGpu(device);
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("notebook", "cells", "events", "bytes without", "with", "added", "a cell", "share"));
        NotebookBatch.run(files, jobs, spec.commandLine().getErr(), this::grown, grown -> true, "",
                grown -> lines.add(grown.row()));
        TextTable.lines(lines, "lrrrrrrr").forEach(spec.commandLine().getOut()::println);
        return Main.OK;
    }

    private Grown grown(Path file, NotebookRun.Steps steps) throws IOException {
        try {
            NotebookFile notebook = NotebookFile.read(file);
            long without = Files.size(file)
                    - notebook.cells().stream().mapToLong(cell -> RecordedSize.bytes(cell.outputs())).sum();
            NotebookRun ran = NotebookRun.recording(notebook, device, Duration.ofSeconds(seconds), steps);
            String trouble = ran.trouble() + ran.failure(notebook);
            if (!trouble.isEmpty() || ran.cells().isEmpty()) {
                throw new NotebookException(trouble.isEmpty() ? "It has no code cells." : trouble);
            }
            long events = 0;
            for (NotebookRun.Shown shown : ran.cells()) {
                events += RecordedSize.events(shown.outputs());
            }
            return new Grown(file.toString(), ran.cells().size(), events, without,
                    ran.cells().stream().mapToLong(shown -> RecordedSize.bytes(shown.outputs())).sum());
        } catch (NotebookException | BrokenHistoryException failed) {
            throw new CommandFailure("What recording adds to " + file + " was to be measured.", failed.getMessage(),
                    "Name notebooks that run to their end.");
        }
    }
}
