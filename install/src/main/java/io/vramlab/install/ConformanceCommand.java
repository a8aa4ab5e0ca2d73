package io.vramlab.install;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.vramlab.conformance.ArticleConformance;
import io.vramlab.conformance.OperationConformance;
import io.vramlab.conformance.ProgramConformance;
import io.vramlab.conformance.RecordingFormatException;
import io.vramlab.conformance.ReductionConformance;
import io.vramlab.conformance.ComparisonReport;
import io.vramlab.conformance.ReportConformance;
import io.vramlab.conformance.trace.Conformance;
import io.vramlab.conformance.trace.DeviceConformance;
import io.vramlab.conformance.trace.TraceConformance;
import io.vramlab.conformance.trace.TraceFileException;
import io.vramlab.device.Device;
import io.vramlab.device.DeviceException;
import io.vramlab.install.conformance.RecordingKind;
import io.vramlab.magics.text.FileTrouble;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Judges the runtime against recordings of PyTorch. */
@Command(name = "conformance", mixinStandardHelpOptions = true, description = {
        "Replay recordings of PyTorch and compare. Allocator traces: the statistics after every operation, at the end every"
                + " segment and block. Tensor programs, operations, reductions: what is allocated after each and at most"
                + " during it, and the values.",
        "Per file: how many, how many are equal in each figure, and the first differences in full. Exit status 1 if there is"
                + " any difference."})
final class ConformanceCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "recordings, gzip-compressed or not")
    private List<Path> files;

    @Option(names = "--device", paramLabel = "DEVICE", description = "replay on this device, as in VRAMLAB_DEVICE: cuda, cuda:1, sim:80GiB, …")
    private String device = "";

    private long compared;
    private long tied;
    private long apart;
    private long mismatches;
    private int refused;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Device chosen = device.isEmpty() ? null : choose();
        for (int i = 0; i < files.size(); i++) {
            out.print("[" + (i + 1) + "/" + files.size() + "] " + files.get(i) + ": ");
            out.flush();
            check(files.get(i), chosen, out);
        }
        out.printf("%,d operations, %,d mismatches in %d of %d files%n", compared, mismatches, files.size() - refused,
                files.size());
        if (tied > 0) {
            out.printf(
                    "%,d operations have other statistics with the device's own addresses than with the recorded ones%n",
                    tied);
        }
        if (apart > 0) {
            out.printf("%,d set apart: equal only with their segments in another order%n", apart);
        }
        return mismatches == 0 && refused == 0 ? Main.OK : Main.FAILED;
    }

    private Device choose() {
        try {
            return Device.select(device);
        } catch (DeviceException none) {
            throw new CommandFailure("The recordings were to be replayed on " + device + ".", none.getMessage(),
                    "Leave out --device to replay them on a simulated GPU; `vramlab doctor` looks at the driver.");
        }
    }

    private void check(Path file, Device on, PrintWriter out) {
        try {
            RecordingKind kind = RecordingKind.of(file).orElse(null);
            switch (kind) {
                case TRACE -> {
                    if (on == null) {
                        tell(TraceConformance.check(file), out);
                    } else {
                        tell(TraceConformance.check(file, on.driver()), out);
                    }
                }
                case PROGRAMS -> tell(on == null
                        ? ProgramConformance.check(file)
                        : ProgramConformance.check(file, on), out);
                case OPERATIONS -> tell(on == null
                        ? OperationConformance.check(file)
                        : OperationConformance.check(file, on), out);
                case REDUCTIONS -> tell(on == null
                        ? ReductionConformance.check(file)
                        : ReductionConformance.check(file, on), out);
                case ARTICLES -> tell(on == null
                        ? ArticleConformance.check(file)
                        : ArticleConformance.check(file, on), out);
                case REPORTS -> tell(ReportConformance.check(file), out);
                case null -> refuse("not a recording that this version knows", out);
            }
        } catch (TraceFileException | RecordingFormatException broken) {
            refuse(broken.getMessage(), out);
        } catch (IOException unreadable) {
            refuse("cannot be read: " + FileTrouble.clause(file, unreadable), out);
        }
    }

    private void tell(DeviceConformance result, PrintWriter out) {
        tell(result.recordedOrder(), out);
        tied += result.tied();
        if (result.tied() > 0) {
            out.printf(
                    "    with the device's own addresses the statistics after %,d operations differ: between equal blocks"
                            + " the one at the lower address is taken%n",
                    result.tied());
        }
    }

    private void tell(Conformance result, PrintWriter out) {
        compared += result.operations();
        mismatches += result.mismatches();
        out.printf("%,d operations, %,d mismatches%n", result.operations(), result.mismatches());
        if (result.mismatches() > 0) {
            out.println(result.firstMismatch().indent(4).stripTrailing());
        }
    }

    private void tell(ComparisonReport report, PrintWriter out) {
        compared += report.compared();
        mismatches += report.differing();
        apart += report.apart().size();
        out.println(report);
    }

    private void refuse(String why, PrintWriter out) {
        refused++;
        out.println(why);
    }
}
