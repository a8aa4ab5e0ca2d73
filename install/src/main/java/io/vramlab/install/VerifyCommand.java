package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.vramlab.install.notebook.Comparison;
import io.vramlab.install.notebook.Comparison.Difference;
import io.vramlab.install.notebook.Comparison.Where;
import io.vramlab.install.notebook.JUnitFile;
import io.vramlab.install.notebook.NotebookFile;
import io.vramlab.install.notebook.NotebookException;
import io.vramlab.install.notebook.RecordedHistory;
import io.vramlab.magics.bug.RecordedPart;
import io.vramlab.magics.text.FileTrouble;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs saved notebooks again and tells what differs. */
@Command(name = "verify", mixinStandardHelpOptions = true, description = "Run saved notebooks again, each in a fresh kernel, and tell what differs from what they recorded. "
        + "Figures, tables and errors are compared; times and addresses are not.")
final class VerifyCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "NOTEBOOK")
    private List<Path> files;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "600", description = "how long a cell may take (default: ${DEFAULT-VALUE})")
    private long seconds;

    @Option(names = {"-j",
            "--jobs"}, paramLabel = "N", description = "how many notebooks run at once (default: one for each processor)")
    private int jobs = Runtime.getRuntime().availableProcessors();

    @Option(names = "--device", paramLabel = "DEVICE", description = "the GPU to run on, as in VRAMLAB_DEVICE: sim:80GiB, H100-80GB, cuda:1, …; cuda alone: "
            + "real GPUs stand in for all simulated ones that a notebook uses, limited to their capacity; cells with the tag \"simulated\" "
            + "are then not run, and names of GPUs not compared; with other devices, neither is what messages tell of the device's size")
    private String device = "";

    @Option(names = "--both", description = "compare with a run on the GPUs that the notebook names, done now, instead of with what it recorded")
    private boolean both;

    @Option(names = "--junit", paramLabel = "FILE", description = "write the results for a build server to this file too")
    private Path junit;

    /** What became of one notebook. */
    private record Verdict(Path file, int cells, int leftOut, List<Difference> differences, String trouble) {

        boolean same() {
            return differences.isEmpty() && trouble.isEmpty();
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        NotebookRun.requireGpu(device);
        PrintWriter out = spec.commandLine().getOut();
        List<JUnitFile.Case> cases = new ArrayList<>();
        List<Path> differing = new ArrayList<>();
        NotebookBatch.run(files, jobs, spec.commandLine().getErr(), this::verify, Verdict::same, "differing",
                verdict -> {
                    String story = story(verdict);
                    out.print(files.size() > 1 ? "[" + (cases.size() + 1) + "/" + files.size() + "] " + story : story);
                    out.flush();
                    cases.add(new JUnitFile.Case(verdict.file().toString(), verdict.same() ? "" : story));
                    if (!verdict.same()) {
                        differing.add(verdict.file());
                    }
                });
        if (files.size() > 1) {
            out.println(files.size() + " notebooks: " + (differing.isEmpty()
                    ? "all as recorded"
                    : (files.size() - differing.size()) + " as recorded, " + differing.size() + " not: "
                            + differing.stream().map(Path::toString).collect(Collectors.joining(", "))));
        }
        write(cases);
        return differing.isEmpty() ? Main.OK : Main.FAILED;
    }

    private void write(List<JUnitFile.Case> cases) {
        try {
            if (junit != null) {
                JUnitFile.write(junit, cases);
            }
        } catch (IOException unwritable) {
            throw new CommandFailure("The results were to be written to " + junit + ".",
                    FileTrouble.why(junit, unwritable),
                    "Name a file in a folder that exists and has room.");
        }
    }

    private Verdict verify(Path file, NotebookRun.Steps steps) throws IOException {
        List<Difference> differences = new ArrayList<>();
        NotebookRun now = NotebookRun.NONE;
        try {
            NotebookFile notebook = NotebookFile.read(file);
            String where = device.isEmpty() ? recordedGpu(notebook) : device;
            List<NotebookFile.CodeCell> cells = both ? recorded(notebook, steps) : notebook.cells();
            now = NotebookRun.of(notebook, where, Duration.ofSeconds(seconds), "", steps);
            Comparison comparison = new Comparison(
                    where.isEmpty() ? Where.RECORDED : NotebookRun.onRealGpus(where) ? Where.STAND_IN : Where.ANOTHER);
            for (NotebookRun.Shown shown : now.cells()) {
                differences.addAll(comparison.of(cells.get(shown.number() - 1), shown.outputs()));
            }
            return new Verdict(file, now.cells().size(), now.leftOut(), differences, now.trouble());
        } catch (NotebookException trouble) {
            return new Verdict(file, now.cells().size(), now.leftOut(), differences, trouble.getMessage());
        }
    }

    /** The notebook as it would be saved after a run on the GPUs that it names. */
    private List<NotebookFile.CodeCell> recorded(NotebookFile notebook, NotebookRun.Steps steps) throws IOException {
        NotebookRun before = NotebookRun.of(notebook, "", Duration.ofSeconds(seconds), "", steps);
        if (!before.trouble().isEmpty()) {
            throw new NotebookException("on the GPUs that it names: " + before.trouble());
        }
        List<NotebookFile.CodeCell> cells = new ArrayList<>(notebook.cells());
        for (NotebookRun.Shown shown : before.cells()) {
            NotebookFile.CodeCell cell = cells.get(shown.number() - 1);
            cells.set(shown.number() - 1,
                    new NotebookFile.CodeCell(cell.number(), cell.source(), cell.tags(), shown.outputs()));
        }
        return cells;
    }

    /** What stands in for the real GPU that a history was recorded on; empty when it was a simulated one, or there is none. */
    private static String recordedGpu(NotebookFile notebook) {
        if (!RecordedHistory.isIn(notebook)) {
            return "";
        }
        RecordedPart first = RecordedHistory.read(notebook.file()).getFirst().parts().getFirst();
        return "CUDA".equals(first.environment().get("kind")) ? "sim:" + first.total() : "";
    }

    private static String story(Verdict verdict) {
        StringBuilder out = new StringBuilder();
        String cells = verdict.cells() + (verdict.cells() == 1 ? " cell" : " cells");
        out.append(verdict.file()).append(": ").append(cells).append(verdict.same() ? ", as recorded" : "");
        if (verdict.leftOut() > 0) {
            out.append("; ").append(verdict.leftOut()).append(" not run, which need a simulated GPU");
        }
        out.append('\n');
        for (Difference difference : verdict.differences()) {
            out.append("  cell ").append(difference.cell()).append(": ").append(difference.what()).append('\n');
            if (!difference.recorded().isEmpty() || !difference.now().isEmpty()) {
                out.append("    recorded: ").append(difference.recorded().strip()).append('\n');
                out.append("    now:      ").append(difference.now().strip()).append('\n');
            }
        }
        if (!verdict.trouble().isEmpty()) {
            out.append("  after ").append(cells).append(": ").append(verdict.trouble()).append('\n');
        }
        return out.toString();
    }
}
