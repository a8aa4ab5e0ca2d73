package io.vramlab.kernel.internal.magic;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** IPython's magics that are not here, and what does here what they do there. */
final class Elsewhere {

    /** Name to what to do. */
    static final Map<String, String> NAMES = names();

    private Elsewhere() {
    }

    private static Map<String, String> names() {
        Map<String, String> names = new TreeMap<>();
        all(names, "Java libraries come by %maven GROUP:ARTIFACT:VERSION or %classpath FILE; for Python packages write"
                + " !pip install NAME or the like", "pip", "conda", "mamba", "micromamba", "uv");
        all(names,
                "Nothing is to be set up: return a BufferedImage or a Tablesaw Table and it is shown; %memory_timeline,"
                        + " %memory_map and %fit draw memory",
                "matplotlib", "pylab");
        all(names,
                "Every magic is loaded already, and %lsmagic lists them. Libraries come by %maven and %classpath, a file of"
                        + " Java by %load FILE",
                "load_ext", "reload_ext", "unload_ext");
        all(names,
                "Run the cell, or %load FILE, again: a class or method that is declared again is replaced, and what uses it"
                        + " uses the new one",
                "autoreload", "aimport");
        all(names,
                "There is no debugger: print or display(…) in the cell shows values, and errors name cell and line. %tb"
                        + " shows the last error again",
                "debug", "pdb");
        all(names, "%time and %timeit tell how long code takes; !jcmd and Java Flight Recorder see inside a JVM",
                "prun",
                "lprun");
        all(names, "%%track tells what each line of a cell allocates on the GPU, %memory_diff what a cell changed,"
                + " %memory_timeline when", "memit", "mprun");
        all(names, "Variables do not outlive the kernel: write what you need to a file, with Files.writeString(…)",
                "store");
        all(names, "%reset NAME forgets a variable and lets go of its value", "xdel");
        all(names, "Write String.format(\"%.3f\", x), or System.out.printf(…)", "precision");
        all(names,
                "%history shows the cells of this session; a frontend saves them: in JupyterLab, File, Save and Export"
                        + " Notebook As",
                "save", "notebook", "logstart", "logstop", "logon", "logoff", "logstate", "pastebin");
        all(names, "Edit the cell; %history TEXT finds an earlier one, %rerun N runs it again", "edit", "recall", "rep",
                "macro", "paste", "cpaste");
        all(names,
                "Output is shown as it comes. To have it in a variable: var lines = !COMMAND of the shell, or let the Java"
                        + " code return a String",
                "capture");
        all(names, "Write %sh COMMAND or !COMMAND; a Java method can call it: magic(\"sh\", \"COMMAND\")", "alias",
                "alias_magic", "unalias", "rehashx");
        all(names, "%cd FOLDER goes to a folder and %pwd tells which it is", "bookmark", "pushd", "popd", "dirs",
                "dhist");
        all(names, "Errors are always shown with cell, line and source; the frontend chooses colours", "xmode",
                "colors",
                "config", "color_info", "doctest_mode", "pprint", "page", "pycat");
        all(names, "NAME?? shows all that is documented; the sources of the JDK are in its src.zip", "psource",
                "pfile");
        all(names, "Completion (Tab) finds names: type the beginning", "psearch");
        all(names, "Java is always on: async code is a CompletableFuture, and cells are run by the shell's thread",
                "autoawait",
                "gui");
        all(names, "Names are called with parentheses in Java: f(x)", "autocall", "automagic");
        return Collections.unmodifiableMap(names);
    }

    private static void all(Map<String, String> to, String instead, String... names) {
        for (String name : names) {
            to.put(name, instead);
        }
    }
}
