package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.vramlab.install.notebook.Comparison;
import io.vramlab.install.notebook.Comparison.Difference;
import io.vramlab.install.notebook.KernelSession;
import io.vramlab.install.notebook.Notebook;
import io.vramlab.install.notebook.NotebookException;
import io.vramlab.install.notebook.Output;

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
        try (ExecutorService workers = Executors.newFixedThreadPool(Math.max(1, Math.min(jobs, files.size())))) {
            List<Future<Verdict>> running = files.stream().map(file -> workers.submit(() -> verify(file))).toList();
            for (Future<Verdict> future : running) {
                Verdict verdict = future.get();
                tell(out, verdict);
                same &= verdict.same();
            }
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure.getCause());
        }
        return same ? Main.OK : Main.FAILED;
    }

    private Verdict verify(Path file) throws IOException {
        List<Difference> differences = new ArrayList<>();
        int cells = 0;
        try {
            Notebook notebook = Notebook.read(file);
            Path folder = file.toAbsolutePath().getParent();
            try (KernelSession kernel = new KernelSession(command(), folder)) {
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

    private static void tell(PrintWriter out, Verdict verdict) {
        String cells = verdict.cells() + (verdict.cells() == 1 ? " cell" : " cells");
        out.println(verdict.file() + ": " + cells + (verdict.same() ? ", as recorded" : ""));
        for (Difference difference : verdict.differences()) {
            out.println("  cell " + difference.cell() + ": " + difference.what());
            out.println("    recorded: " + difference.recorded().strip());
            out.println("    now:      " + difference.now().strip());
        }
        if (!verdict.trouble().isEmpty()) {
            out.println("  after " + cells + ": " + verdict.trouble());
        }
    }
}
