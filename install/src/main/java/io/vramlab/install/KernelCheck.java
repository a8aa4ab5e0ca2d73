package io.vramlab.install;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether the kernels that are installed can still start, and as quickly as when they were. */
final class KernelCheck {

    /** What a kernelspec starts that pip installed; it looks for its jars, its JDK and its start-up cache itself. */
    private static final String WHEEL = "vramlab_kernel";
    private static final String CACHE = "-XX:AOTCache=";
    private static final Pattern BUILD = Pattern.compile("\\(build ([^),\\s]+)");

    private KernelCheck() {
    }

    /**
     * What there is to say of a kernel of ours.
     *
     * @param spec where it is
     * @param command how Jupyter starts it
     */
    static DoctorFinding finding(KernelSpec spec, List<String> command) {
        String what = spec.folder().toString();
        if (command.contains(WHEEL)) {
            return DoctorFinding.found("kernel", what + ", of the Python package vramlab");
        }
        Path java = Path.of(command.getFirst());
        if (!Files.isExecutable(java)) {
            return DoctorFinding.missing("kernel", what + " cannot start: its JDK is gone from " + java,
                    StartedAs.install());
        }
        int jar = command.indexOf("-jar") + 1;
        if (jar == 0 || !Files.isRegularFile(Path.of(command.get(jar)))) {
            return DoctorFinding.missing("kernel", what + " cannot start: its jars are gone", StartedAs.install());
        }
        Optional<Path> cache = command.stream().filter(word -> word.startsWith(CACHE))
                .map(word -> Path.of(word.substring(CACHE.length()))).findFirst();
        Optional<String> build = build(java);
        if (cache.isEmpty()) {
            return DoctorFinding.found("kernel", what + ", without a start-up cache");
        }
        if (!Files.isRegularFile(cache.get())) {
            return DoctorFinding.absent("kernel", what + " starts slowly: its start-up cache is gone",
                    StartedAs.install());
        }
        if (build.isPresent() && !cache.get().endsWith(AotCache.name(build.get()))) {
            return DoctorFinding.absent("kernel", what + " starts slowly: " + java + " is now build " + build.get()
                    + ", and the start-up cache is of another", StartedAs.install());
        }
        return DoctorFinding.found("kernel", what + build.map(text -> ", JDK " + text).orElse(""));
    }

    /** The build of a JDK, as it tells it. */
    private static Optional<String> build(Path java) {
        try {
            Process process = new ProcessBuilder(java.toString(), "--version")
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            Matcher build = BUILD
                    .matcher(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            return process.waitFor() == 0 && build.find() ? Optional.of(build.group(1)) : Optional.empty();
        } catch (IOException cannotRun) {
            return Optional.empty();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
