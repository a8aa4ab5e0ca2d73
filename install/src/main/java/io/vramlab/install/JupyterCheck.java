package io.vramlab.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The Jupyter on the path, and whether it knows the kernel. */
final class JupyterCheck {

    private JupyterCheck() {
    }

    static List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        Optional<String> kernels = output("jupyter", "kernelspec", "list");
        findings.add(output("jupyter", "--version")
                .map(text -> Finding.found("Jupyter",
                        String.join(", ", text.lines().skip(1).map(JupyterCheck::pair).toList())))
                .orElseGet(() -> Finding.absent("Jupyter", "there is no jupyter on the path",
                        "Run install/lab, which brings one; or install JupyterLab (PyPI: jupyterlab; Debian: jupyter-notebook).")));
        List<String> ours = kernels.stream().flatMap(String::lines).filter(line -> line.contains("vramlab"))
                .map(String::strip).toList();
        findings.add(ours.isEmpty()
                ? Finding.absent("kernel",
                        kernels.isPresent()
                                ? "that Jupyter does not know a VramLab kernel"
                                : "not looked for: no jupyter on the path",
                        "Run install/vramlab install, or install/lab.")
                : Finding.found("kernel", String.join("; ", ours)));
        return findings;
    }

    private static String pair(String line) {
        return line.replaceAll("\\s*:\\s*", " ");
    }

    private static Optional<String> output(String... command) {
        try {
            Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? Optional.of(printed) : Optional.empty();
        } catch (IOException notOnThePath) {
            return Optional.empty();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
