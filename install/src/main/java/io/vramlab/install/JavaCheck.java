package io.vramlab.install;

import java.util.List;

/** The JVM that this command, and so the kernel, runs on. */
final class JavaCheck {

    private static final int WANTED = 25;

    private JavaCheck() {
    }

    static List<Finding> findings() {
        String running = Runtime.version() + " (" + System.getProperty("java.vendor") + ") in "
                + System.getProperty("java.home");
        boolean shell = ModuleLayer.boot().findModule("jdk.jshell").isPresent();
        if (Runtime.version().feature() != WANTED || !shell) {
            return List.of(Finding.missing("JDK", running,
                    "Install a JDK " + WANTED + " (Temurin " + WANTED + "), or set JAVA25_HOME to one."));
        }
        long heap = Runtime.getRuntime().maxMemory() >> 20;
        return List.of(Finding.found("JDK", running),
                Finding.found("memory", heap
                        + " MiB of heap for Java; the simulated GPU's memory lies outside it and costs only what is touched"));
    }
}
