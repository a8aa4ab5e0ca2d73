package io.vramlab.install;

import java.nio.file.Path;

/**
 * How a user starts this command: from a checkout as {@code install/vramlab}, from the release zip as {@code bin/vramlab}, else as
 * {@code vramlab}. What starts it says so in the system property {@code vramlab.command}.
 */
final class StartedAs {

    private static final String CHECKOUT = "install/vramlab";
    private static final String ZIP = "bin/vramlab";

    private StartedAs() {
    }

    /** {@return what to type} */
    static String command() {
        return System.getProperty("vramlab.command", "vramlab");
    }

    /** {@return how to get a kernel that starts, or starts fast} */
    static String install() {
        return "Run " + command() + " install again.";
    }

    /** {@return how to get a Jupyter} */
    static String jupyter() {
        String packages = "nstall JupyterLab (PyPI: jupyterlab; Debian: jupyter-notebook).";
        return isCheckout() ? "Run install/lab, which brings one; or i" + packages : "I" + packages;
    }

    /** {@return how to get a first kernel} */
    static String kernel() {
        return "Run " + command() + " install" + (isCheckout() ? ", or install/lab." : ".");
    }

    /** {@return how to record a PyTorch program for {@code plan}, ready for its options and the script's name} */
    static String recorder() {
        return "python " + (isCheckout()
                ? "install/vramlab_trace.py"
                : command().equals(ZIP) ? "vramlab_trace.py" : "-m vramlab_trace");
    }

    /** {@return what opens a notebook, behind a sentence; empty where only the user knows which Jupyter there is} */
    static String opening(Path notebook) {
        return isCheckout() ? ": install/lab --open " + notebook : "";
    }

    private static boolean isCheckout() {
        return command().equals(CHECKOUT);
    }
}
