package io.vramlab.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;

/** The Jupyter on the path, and whether it knows the kernel. */
final class JupyterCheck {

    private JupyterCheck() {
    }

    static List<DoctorFinding> findings() {
        List<DoctorFinding> findings = new ArrayList<>();
        Optional<String> kernels = output("jupyter", "kernelspec", "list", "--json");
        findings.add(output("jupyter", "--version")
                .map(text -> DoctorFinding.found("Jupyter",
                        String.join(", ", text.lines().skip(1).map(JupyterCheck::pair).toList())))
                .orElseGet(
                        () -> DoctorFinding.absent("Jupyter", "there is no jupyter on the path", StartedAs.jupyter())));
        List<DoctorFinding> ours = kernels.map(JupyterCheck::folders)
                .orElseGet(() -> Folders.inside(JupyterPlaces.user().data().resolve("kernels"))).stream()
                .map(KernelSpec::new).filter(spec -> !spec.command().isEmpty())
                .map(spec -> KernelCheck.finding(spec, spec.command())).toList();
        findings.addAll(ours);
        if (ours.isEmpty()) {
            findings.add(DoctorFinding.absent("kernel",
                    kernels.isPresent()
                            ? "that Jupyter does not know a VramLab kernel"
                            : "there is none in " + JupyterPlaces.user().data(),
                    StartedAs.kernel()));
        }
        return findings;
    }

    /** The kernels' folders, in what {@code jupyter kernelspec list --json} prints. */
    private static List<Path> folders(String list) {
        try {
            return JsonParser.parseString(list).getAsJsonObject().getAsJsonObject("kernelspecs").asMap().values()
                    .stream().map(each -> Path.of(each.getAsJsonObject().get("resource_dir").getAsString())).toList();
        } catch (JsonParseException | IllegalStateException | NullPointerException notAsExpected) {
            return List.of();
        }
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
