package io.vramlab.install;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Looks at the machine. */
@Command(name = "doctor", mixinStandardHelpOptions = true, description = "Look at this machine: JDK, Jupyter, GPU, driver, cuBLAS; what is found, what is not, and what to do.")
final class DoctorCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        List<DoctorFinding> findings = Stream
                .of(JavaCheck.findings(), JupyterCheck.findings(), CudaCheck.findings(), CudnnAnswersCheck.findings())
                .flatMap(List::stream).toList();
        findings.forEach(finding -> out.println(finding.text()));
        boolean missing = findings.stream().anyMatch(finding -> finding.state() == DoctorFinding.State.MISSING);
        out.println();
        out.println(missing
                ? "Something that VramLab needs is missing (!!)."
                : "VramLab can run here; without a GPU (--) it simulates one.");
        return missing ? Main.FAILED : Main.OK;
    }
}
