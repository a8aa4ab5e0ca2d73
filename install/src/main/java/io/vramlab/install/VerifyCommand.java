package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.vramlab.install.notebook.Comparison;
import io.vramlab.install.notebook.Comparison.Difference;
import io.vramlab.install.notebook.JUnitFile;
import io.vramlab.install.notebook.KernelSession;
import io.vramlab.install.notebook.Notebook;
import io.vramlab.install.notebook.NotebookException;
import io.vramlab.install.notebook.Output;
import io.vramlab.install.notebook.RecordedHistory;

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
            "--jobs"}, paramLabel = "N", defaultValue = "2", description = "how many notebooks run at once (default: ${DEFAULT-VALUE})")
    private int jobs;

    @Option(names = "--device", paramLabel = "DEVICE", description = "the GPU to run on, as in VRAMLAB_DEVICE: cuda, sim:80GiB, H100-80GB, …")
    private String device = "";

    @Option(names = "--junit", paramLabel = "FILE", description = "write the results for a build server to this file too")
    private Path junit;

    /** What became of one notebook. */
    private record Verdict(Path file, int cells, List<Difference> differences, String trouble) {

        boolean same() {
            return differences.isEmpty() && trouble.isEmpty();
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        boolean same = true;
        List<JUnitFile.Case> cases = new ArrayList<>();
        try (ExecutorService workers = Executors.newFixedThreadPool(Math.max(1, Math.min(jobs, files.size())))) {
            List<Future<Verdict>> running = files.stream().map(file -> workers.submit(() -> verify(file))).toList();
            for (Future<Verdict> future : running) {
                Verdict verdict = future.get();
                String story = story(verdict);
                out.print(files.size() > 1 ? "[" + (cases.size() + 1) + "/" + files.size() + "] " + story : story);
                out.flush();
                cases.add(new JUnitFile.Case(verdict.file().toString(), verdict.same() ? "" : story));
                same &= verdict.same();
            }
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure.getCause());
        }
        write(cases);
        return same ? Main.OK : Main.FAILED;
    }

    private void write(List<JUnitFile.Case> cases) {
        try {
            if (junit != null) {
                JUnitFile.write(junit, cases);
            }
        } catch (IOException unwritable) {
            throw new CommandFailure("The results were to be written to " + junit + ".",
                    "That failed: " + unwritable.getClass().getSimpleName() + ", " + unwritable.getMessage(),
                    "Name a file in a folder that exists.");
        }
    }

    private Verdict verify(Path file) throws IOException {
        List<Difference> differences = new ArrayList<>();
        int cells = 0;
        try {
            Notebook notebook = Notebook.read(file);
            if (RecordedHistory.isIn(notebook)) {
                RecordedHistory.read(file);
            }
            Path folder = file.toAbsolutePath().getParent();
            try (KernelSession kernel = new KernelSession(command(), folder,
                    device.isEmpty() ? Map.of() : Map.of("VRAMLAB_DEVICE", device))) {
                for (Notebook.CodeCell cell : notebook.cells()) {
                    List<Output> now = kernel.execute(cell.source(), Duration.ofSeconds(seconds));
                    differences.addAll(Comparison.of(cell, now));
                    cells++;
                    boolean stops = !cell.mayFail() && now.stream().anyMatch(Output::isError);
                    if (stops) {
                        break; // as Jupyter's clients do; what is recorded after it never ran either
                    }
                }
                return new Verdict(file, cells, differences, "");
            }
        } catch (NotebookException trouble) {
            return new Verdict(file, cells, differences, trouble.getMessage());
        }
    }

    private static List<String> command() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return Stream.of(Stream.of(java), KernelSpec.JVM_FLAGS.stream(),
                Stream.of("-jar", Distribution.running().jar().toString(), "kernel", "{connection_file}"))
                .flatMap(words -> words).toList();
    }

    private static String story(Verdict verdict) {
        StringBuilder out = new StringBuilder();
        String cells = verdict.cells() + (verdict.cells() == 1 ? " cell" : " cells");
        out.append(verdict.file()).append(": ").append(cells).append(verdict.same() ? ", as recorded" : "")
                .append('\n');
        for (Difference difference : verdict.differences()) {
            out.append("  cell ").append(difference.cell()).append(": ").append(difference.what()).append('\n');
            out.append("    recorded: ").append(difference.recorded().strip()).append('\n');
            out.append("    now:      ").append(difference.now().strip()).append('\n');
        }
        if (!verdict.trouble().isEmpty()) {
            out.append("  after ").append(cells).append(": ").append(verdict.trouble()).append('\n');
        }
        return out.toString();
    }
}
