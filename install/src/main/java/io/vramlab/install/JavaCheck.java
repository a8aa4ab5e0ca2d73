package io.vramlab.install;

import java.util.List;
import java.util.Optional;

import io.vramlab.kernel.EngineTrial;
import io.vramlab.memory.Sizes;

/** The JVM that this command, and so the kernel, runs on. */
final class JavaCheck {

    /** The least release; the build's class files are written for it. */
    static final int LEAST = 25;
    /** The newest release that was tried: {@code .ci/try-jdk}. */
    static final int TRIED = 27;

    private JavaCheck() {
    }

    /** The JVM itself. */
    static List<DoctorFinding> jvm() {
        String running = Runtime.version() + " (" + System.getProperty("java.vendor") + ") in "
                + System.getProperty("java.home");
        long heap = Runtime.getRuntime().maxMemory() >> 20;
        return List.of(jdk(Runtime.version().feature(), hasShell(), running), DoctorFinding.found("memory",
                Sizes.exact(heap)
                        + " MiB of heap for Java; the simulated GPU's memory lies outside it and costs only what is touched"));
    }

    /** Whether cells run on it, by running one. */
    static List<DoctorFinding> cells() {
        return List.of(cells(hasShell()));
    }

    private static boolean hasShell() {
        return ModuleLayer.boot().findModule("jdk.jshell").isPresent();
    }

    private static DoctorFinding cells(boolean shell) {
        if (!shell) {
            return DoctorFinding.missing("cells", "cannot run without JShell", "");
        }
        try {
            Optional<String> missing = EngineTrial.withoutAccelerator();
            return missing
                    .map(why -> DoctorFinding.absent("cells",
                            "run without the accelerator, more slowly and else the same: " + why,
                            "docs/kernel.md tells what differs; a JDK between " + LEAST + " and " + TRIED + " has it."))
                    .orElseGet(() -> DoctorFinding.found("cells", "run, with the accelerator"));
        } catch (Exception | LinkageError cannotRun) {
            return DoctorFinding.missing("cells", "do not run on this JDK: " + cannotRun,
                    "Install a JDK of a release between " + LEAST + " and " + TRIED + ".");
        }
    }

    /**
     * What there is to say of a JVM.
     *
     * @param release such as 25
     * @param shell whether it has JShell: a JRE has not
     * @param running its version and its place
     */
    static DoctorFinding jdk(int release, boolean shell, String running) {
        if (release < LEAST || !shell) {
            return DoctorFinding.missing("JDK", running,
                    "Install a JDK of release " + LEAST + " or newer (Temurin " + LEAST
                            + "), or set VRAMLAB_JAVA_HOME to one.");
        }
        return DoctorFinding.found("JDK", release > TRIED
                ? running + ", newer than those that VramLab was tried on (" + LEAST + " to " + TRIED + ")"
                : running);
    }
}
