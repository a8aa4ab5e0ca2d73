package io.vramlab.install;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Looks at the machine. */
@Command(name = "doctor", mixinStandardHelpOptions = true, description = "Look at this machine: JDK, Jupyter, GPU, driver, cuBLAS; what is found, what is not, and what to do.")
final class DoctorCommand implements Callable<Integer> {

    private static final List<Supplier<List<DoctorFinding>>> CHECKS = List.of(JavaCheck::jvm, JavaCheck::cells,
            JupyterCheck::findings, CudaCheck::findings, CudnnAnswersCheck::findings);

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        boolean missing = false;
        for (Supplier<List<DoctorFinding>> check : CHECKS) {
            for (DoctorFinding finding : check.get()) {
                out.println(finding.text()); // at once: some checks take seconds
                missing |= finding.state() == DoctorFinding.State.MISSING;
            }
        }
        out.println();
        out.println(missing
                ? "Something that VramLab needs is missing (!!)."
                : "VramLab can run here; without a GPU (--) it simulates one.");
        return missing ? Main.FAILED : Main.OK;
    }
}
